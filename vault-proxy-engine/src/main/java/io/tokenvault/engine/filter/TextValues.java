package io.tokenvault.engine.filter;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * Conversion of values to text, and measures of text. Lengths and positions are in code points, so
 * that no character is split.
 */
public final class TextValues {

  private static final JsonFactory JSON = new JsonFactory();

  private TextValues() {}

  /**
   * Returns a value as an expression prints it within a text: a string as its content, null as
   * nothing, and any other value as JSON.
   */
  public static String printed(JsonValue value) {
    if (value instanceof JsonString string) {
      return string.value();
    }
    return value == JsonNull.NULL ? "" : json(value);
  }

  /** Returns the JSON of a value without whitespace; numbers keep their literals. */
  public static String json(JsonValue value) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = JSON.createGenerator(text)) {
      write(value, generator);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static void write(JsonValue value, JsonGenerator generator) throws IOException {
    if (value instanceof JsonString string) {
      generator.writeString(string.value());
    } else if (value instanceof JsonNumber number) {
      generator.writeNumber(number.literal());
    } else if (value instanceof JsonBoolean bool) {
      generator.writeBoolean(bool.value());
    } else if (value instanceof JsonArray array) {
      writeItems(array, generator);
    } else if (value instanceof JsonObject object) {
      writeMembers(object, generator);
    } else {
      generator.writeNull();
    }
  }

  private static void writeItems(JsonArray array, JsonGenerator generator) throws IOException {
    generator.writeStartArray();
    for (JsonValue item : array.items()) {
      write(item, generator);
    }
    generator.writeEndArray();
  }

  private static void writeMembers(JsonObject object, JsonGenerator generator) throws IOException {
    generator.writeStartObject();
    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
      generator.writeFieldName(member.getKey());
      write(member.getValue(), generator);
    }
    generator.writeEndObject();
  }

  /**
   * Returns the text of a string, number or boolean, or an empty text for null.
   *
   * @throws ExpressionException if the value is a list or an object
   */
  public static String scalar(JsonValue value) {
    if (value instanceof JsonArray || value instanceof JsonObject) {
      throw new ExpressionException("requires a string, not a list or an object");
    }
    return printed(value);
  }

  /** Returns the number of bytes of a text in UTF-8. */
  public static long size(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      // Units from 0x800 on have three bytes, but a surrogate is half of a character of four.
      bytes += unit < 0x80 ? 0 : unit < 0x800 || Character.isSurrogate(unit) ? 1 : 2;
    }
    return bytes;
  }

  /** Returns whether a text has more than a number of bytes in UTF-8. */
  public static boolean isLonger(String text, int bytes) {
    // Most texts are too short to be counted.
    return text.length() > bytes / 3 && size(text) > bytes;
  }

  /** Returns the size of a value with all of its parts: characters, and one for each part. */
  public static long extent(JsonValue value) {
    if (value instanceof JsonString text) {
      return 1L + text.value().length();
    }
    if (value instanceof JsonNumber number) {
      return number.literal().length();
    }
    long extent = 1;
    if (value instanceof JsonArray array) {
      for (JsonValue item : array.items()) {
        extent += extent(item);
      }
    } else if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        extent += 1 + member.getKey().length() + extent(member.getValue());
      }
    }
    return extent;
  }

  /** Returns the number of characters, counted in code points. */
  public static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Returns the characters from one position up to another, counted in code points. */
  public static String cut(String text, int from, int to) {
    int start = text.offsetByCodePoints(0, from);
    return text.substring(start, text.offsetByCodePoints(start, to - from));
  }
}
