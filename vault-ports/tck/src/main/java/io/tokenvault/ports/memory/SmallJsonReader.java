package io.tokenvault.ports.memory;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A recursive-descent JSON parser. */
final class SmallJsonReader {

  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");
  private static final Pattern UNICODE = Pattern.compile("[0-9A-Fa-f]{4}");
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final String text;
  private int position;
  private int depth;

  private SmallJsonReader(String text) {
    this.text = text;
  }

  static JsonValue read(byte[] utf8) {
    SmallJsonReader reader = new SmallJsonReader(decode(utf8));
    JsonValue value = reader.value();
    reader.skipSpace();
    reader.require(reader.position == reader.text.length());
    return value;
  }

  private static String decode(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException malformed) {
      throw parseError(1, 1);
    }
  }

  private JsonValue value() {
    skipSpace();
    if (accept("{")) {
      return nested(true);
    }
    if (accept("[")) {
      return nested(false);
    }
    if (accept("\"")) {
      return JsonValue.of(string());
    }
    if (accept("null")) {
      return JsonNull.NULL;
    }
    if (accept("true")) {
      return JsonValue.of(true);
    }
    return accept("false") ? JsonValue.of(false) : new JsonNumber(take(NUMBER));
  }

  private JsonValue nested(boolean object) {
    require(++depth <= JsonCodec.MAX_DEPTH);
    JsonValue value = object ? object() : array();
    depth--;
    return value;
  }

  private JsonValue object() {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    skipSpace();
    if (accept("}")) {
      return new JsonObject(properties);
    }
    do {
      skipSpace();
      require(accept("\""));
      String name = string();
      skipSpace();
      require(accept(":") && !properties.containsKey(name));
      properties.put(name, value());
      skipSpace();
    } while (accept(","));
    require(accept("}"));
    return new JsonObject(properties);
  }

  private JsonValue array() {
    List<JsonValue> items = new ArrayList<>();
    skipSpace();
    if (accept("]")) {
      return new JsonArray(items);
    }
    do {
      items.add(value());
      skipSpace();
    } while (accept(","));
    require(accept("]"));
    return new JsonArray(items);
  }

  private String string() {
    StringBuilder string = new StringBuilder();
    while (!accept("\"")) {
      int start = position;
      while (position < text.length() && isPlain(text.charAt(position))) {
        position++;
      }
      string.append(text, start, position);
      if (accept("\\")) {
        string.append(escape());
      } else {
        require(text.startsWith("\"", position));
      }
    }
    require(isWellFormed(string));
    return string.toString();
  }

  private static boolean isPlain(char each) {
    return each >= ' ' && each != '"' && each != '\\';
  }

  private char escape() {
    if (accept("u")) {
      return (char) Integer.parseInt(take(UNICODE), 16);
    }
    require(position < text.length());
    int index = ESCAPES.indexOf(text.charAt(position++));
    require(index >= 0);
    return ESCAPED.charAt(index);
  }

  /** Returns true if a string has neither NUL nor lone surrogates. */
  private static boolean isWellFormed(CharSequence string) {
    for (int i = 0; i < string.length(); i++) {
      char each = string.charAt(i);
      if (Character.isSurrogate(each)) {
        if (Character.codePointAt(string, i) == each) {
          return false;
        }
        i++;
      } else if (each == 0) {
        return false;
      }
    }
    return true;
  }

  private String take(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(position, text.length());
    require(matcher.lookingAt());
    position = matcher.end();
    return matcher.group();
  }

  private boolean accept(String token) {
    boolean matches = text.startsWith(token, position);
    position += matches ? token.length() : 0;
    return matches;
  }

  private void skipSpace() {
    while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  private void require(boolean isValid) {
    if (!isValid) {
      String before = text.substring(0, Math.min(position, text.length()));
      int line = 1 + (int) before.chars().filter(each -> each == '\n').count();
      throw parseError(line, before.length() - before.lastIndexOf('\n'));
    }
  }

  private static ValidationException parseError(int line, int column) {
    return ValidationException.of(
        Violations.WHOLE_REQUEST,
        "is not valid JSON at line %s, column %s".formatted(line, column));
  }
}
