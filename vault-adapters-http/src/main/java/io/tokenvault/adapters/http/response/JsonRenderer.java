package io.tokenvault.adapters.http.response;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.store.Page;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Renders the results of use cases as JSON: single resources, lists, pages, and parts of lists with
 * a cursor.
 *
 * <p>The caller supplies the method that writes the properties of one item, in the order of its
 * calls: {@code renderer.page(page, TokenRoutes::render)}. This is the only class of this module
 * that exposes sensitive values while rendering: its output is the body of the caller's response
 * and must not be logged. Thread-safe.
 */
public final class JsonRenderer {

  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSxxx", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  private final JsonCodec codec;

  public JsonRenderer(JsonCodec codec) {
    this.codec = codec;
  }

  /** Renders one item as a JSON object. */
  public <T> byte[] one(T item, BiConsumer<T, ObjectWriter> properties) {
    return text(text -> text.object(json -> properties.accept(item, json)));
  }

  /** Renders a JSON value as it is. */
  public byte[] value(JsonValue value) {
    return codec.write(value);
  }

  /** Renders as UTF-8 text whatever {@code content} writes. */
  public byte[] text(Consumer<JsonTextWriter> content) {
    JsonTextWriter text = new JsonTextWriter(codec);
    content.accept(text);
    return text.finish();
  }

  /** Renders a page of a list with its pagination. */
  public <T> byte[] page(Page<T> page, BiConsumer<T, ObjectWriter> properties) {
    return list(json -> describe(page, json), page.items(), properties);
  }

  /**
   * Renders a part of a list that is read with a cursor.
   *
   * @param next the position after the last item; empty at the end of the list
   * @param size the requested number of items
   */
  public <T> byte[] slice(
      List<T> items, Optional<String> next, int size, BiConsumer<T, ObjectWriter> properties) {
    return list(
        json -> json.optional("next", next, json::put).put("page_size", size), items, properties);
  }

  private <T> byte[] list(
      Consumer<ObjectWriter> pagination, List<T> items, BiConsumer<T, ObjectWriter> properties) {
    return text(
        text ->
            text.object(
                list -> list.object("pagination", pagination).objects("data", items, properties)));
  }

  /** Returns a writer of a complete list. */
  public static <T> Consumer<JsonTextWriter> array(
      List<T> items, BiConsumer<T, ObjectWriter> properties) {
    return text -> text.array(items, item -> text.object(json -> properties.accept(item, json)));
  }

  private static void describe(Page<?> page, ObjectWriter json) {
    json.put("total_items", page.totalItems())
        .put("page_number", page.request().page())
        .put("page_size", page.request().size())
        .put("total_pages", page.totalPages());
  }

  /** Writes who created and last changed a resource, and when. */
  public static void provenance(Provenance provenance, ObjectWriter json) {
    json.optional("created_by", provenance.createdBy(), json::put)
        .put("created_at", provenance.createdAt())
        .optional("modified_by", provenance.modifiedBy(), json::put)
        .optional("modified_at", provenance.modifiedAt(), json::put);
  }

  /** Returns a time as {@code 2026-01-31T12:00:00.000000+00:00}. */
  static String timestamp(Instant time) {
    return TIMESTAMP.format(time);
  }

  /**
   * Writes JSON value by value, as UTF-8 text. Not thread-safe.
   *
   * <p>For example, {@code writer.object(json -> json.put("status", "ready"))} writes {@code
   * {"status":"ready"}}.
   */
  public static final class JsonTextWriter {

    private final JsonCodec codec;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final JsonGenerator generator;

    private JsonTextWriter(JsonCodec codec) {
      this.codec = codec;
      try {
        this.generator = FACTORY.createGenerator(out);
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    /** Writes an object, whose properties {@code properties} writes. */
    public void object(Consumer<ObjectWriter> properties) {
      generate(JsonGenerator::writeStartObject);
      properties.accept(new ObjectWriter(this));
      generate(JsonGenerator::writeEndObject);
    }

    /**
     * Writes an array of values of any type.
     *
     * @param content writes exactly one value for each item
     */
    public <T> void array(List<T> items, Consumer<T> content) {
      generate(JsonGenerator::writeStartArray);
      items.forEach(content);
      generate(JsonGenerator::writeEndArray);
    }

    /** Writes a value as it is. */
    public void value(JsonValue value) {
      json(codec.write(value));
    }

    /**
     * Writes a value that is already serialized.
     *
     * @param value valid JSON in UTF-8
     */
    private void json(byte[] value) {
      // Bytes are not decoded, since each copy of a secret stays in memory for a while.
      generate(
          json -> {
            json.writeRawValue("");
            json.flush();
            out.writeBytes(value);
          });
    }

    private void string(String value) {
      if (value.indexOf('\0') >= 0) {
        throw new IllegalArgumentException(
            "a string contains NUL, which requests must not contain");
      }
      generate(json -> json.writeString(value));
    }

    private byte[] finish() {
      generate(JsonGenerator::close);
      return out.toByteArray();
    }

    /**
     * Runs a step of the generator, which writes to memory and so fails only for text that has no
     * UTF-8 form.
     */
    private void generate(Step step) {
      try {
        step.run(generator);
      } catch (IOException unwritable) {
        throw new UncheckedIOException(unwritable);
      }
    }

    private interface Step {
      void run(JsonGenerator json) throws IOException;
    }
  }

  /** Writes the properties of an object. Each method writes one property. */
  public static final class ObjectWriter {

    private final JsonTextWriter text;

    private ObjectWriter(JsonTextWriter text) {
      this.text = text;
    }

    /** Writes a property with any JSON value. Names must be unique within an object. */
    public ObjectWriter put(String name, JsonValue value) {
      return property(name, () -> text.value(value));
    }

    public ObjectWriter put(String name, String value) {
      return property(name, () -> text.string(value));
    }

    public ObjectWriter put(String name, UUID value) {
      return put(name, value.toString());
    }

    /** Writes a time in ISO 8601, in UTC with microseconds. */
    public ObjectWriter put(String name, Instant value) {
      return put(name, timestamp(value));
    }

    public ObjectWriter put(String name, boolean value) {
      return property(name, () -> text.generate(json -> json.writeBoolean(value)));
    }

    public ObjectWriter put(String name, long value) {
      return property(name, () -> text.generate(json -> json.writeNumber(value)));
    }

    /**
     * Writes a property if its value is present; otherwise omits it.
     *
     * @param put the method that writes the value under the name
     */
    public <T> ObjectWriter optional(String name, Optional<T> value, BiConsumer<String, T> put) {
      value.ifPresent(present -> put.accept(name, present));
      return this;
    }

    /** Writes an array of strings. */
    public ObjectWriter strings(String name, List<String> values) {
      return property(name, () -> text.array(values, text::string));
    }

    /** Writes an array of objects, one for each item. */
    public <T> ObjectWriter objects(
        String name, List<T> items, BiConsumer<T, ObjectWriter> properties) {
      return property(name, () -> array(items, properties).accept(text));
    }

    /** Writes an object, whose properties {@code properties} writes. */
    public ObjectWriter object(String name, Consumer<ObjectWriter> properties) {
      return property(name, () -> text.object(properties));
    }

    /** Writes a property whose value {@code content} writes. It must write exactly one value. */
    public ObjectWriter property(String name, Runnable content) {
      text.generate(json -> json.writeFieldName(name));
      content.run();
      return this;
    }

    /**
     * Writes a secret, such as an API key, as a string. For callers that are authorized to see it.
     *
     * @param text in UTF-8
     */
    public ObjectWriter secretText(String name, SensitiveValue text) {
      return put(name, new String(text.open(), StandardCharsets.UTF_8));
    }

    /**
     * Writes sensitive data that is already JSON. For callers that are authorized to see it.
     *
     * @param value JSON in UTF-8
     */
    public ObjectWriter secretJson(String name, SensitiveValue value) {
      return property(name, () -> text.json(value.open()));
    }
  }
}
