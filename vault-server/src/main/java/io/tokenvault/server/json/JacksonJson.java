package io.tokenvault.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.runtime.JsonCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Reads and writes JSON exactly as RFC 8259 defines it.
 *
 * <p>No extension is accepted: no comments, no {@code NaN}, no byte order mark, no encoding besides
 * UTF-8. In addition, duplicate names, NUL, lone surrogates and deep nesting are rejected. The
 * caller limits the length of a text; a number may have {@link #MAX_NUMBER_LENGTH} characters.
 * Threads may share an instance.
 *
 * <pre>{@code
 * JsonCodec json = new JacksonJson();
 * JsonValue value = json.read(body); // throws ValidationException with line and column
 * byte[] utf8 = json.write(value);
 * }</pre>
 */
public final class JacksonJson implements JsonCodec {

  /** Limit on the characters of a number: enough for any double in full, and cheap to parse. */
  public static final int MAX_NUMBER_LENGTH = 1200;

  /**
   * The factory of parsers. Jackson's own limits are disabled where this package reports its own
   * errors. Names are not interned, because callers choose them.
   */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .build();

  @Override
  public JsonValue read(byte[] utf8) {
    return JsonReader.read(FACTORY, utf8);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a string contains characters that {@link #read} rejects, or
   *     the nesting is far deeper than it accepts
   */
  @Override
  public byte[] write(JsonValue value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      JsonWriter.write(value, generator);
    } catch (IOException e) {
      throw new IllegalArgumentException("the value cannot be written as JSON");
    }
    return out.toByteArray();
  }
}
