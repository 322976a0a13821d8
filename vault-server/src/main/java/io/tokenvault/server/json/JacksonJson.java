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
 * RFC 8259 to the letter, with nothing added: no comments, no {@code NaN}, no byte order mark, no
 * other encoding. How long a text may be is for the caller to limit; a number may have {@link
 * #MAX_NUMBER_LENGTH} characters.
 */
public final class JacksonJson implements JsonCodec {

  /** Enough for any double written out in full, and short enough to be cheap to parse. */
  public static final int MAX_NUMBER_LENGTH = 1200;

  /** Jackson's own limits are off where ours answer instead. */
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
   * @throws IllegalArgumentException if a string holds what {@link #read} refuses, or nesting is
   *     far beyond what it accepts
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
