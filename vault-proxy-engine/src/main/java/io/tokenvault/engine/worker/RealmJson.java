package io.tokenvault.engine.worker;

import io.tokenvault.engine.worker.realm.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.json.JsonParser;

/** Reader and writer of JSON for values of a realm and for a few types of the worker. */
final class RealmJson {

  private RealmJson() {}

  /**
   * Parses JSON into values of a realm. Malformed text throws a {@code SyntaxError} of JavaScript,
   * which does not quote it.
   */
  static Object parse(Context cx, Scriptable realm, String text) {
    try {
      return new JsonParser(cx, realm).parseValue(text);
    } catch (JsonParser.ParseException e) {
      throw ScriptRuntime.constructError("SyntaxError", "Unexpected token in JSON");
    }
  }

  /** Returns an object of lists of strings as JSON. */
  static String of(Map<String, List<String>> lists) {
    StringJoiner json = new StringJoiner(",", "{", "}");
    lists.forEach((name, values) -> json.add(quote(name) + ":" + list(values)));
    return json.toString();
  }

  static String list(List<String> values) {
    StringJoiner json = new StringJoiner(",", "[", "]");
    values.forEach(value -> json.add(quote(value)));
    return json.toString();
  }

  static String quote(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2);
    JsonWriter.quote(text, json);
    return json.toString();
  }
}
