package io.tokenvault.engine.worker.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.Script;

/** The parsed scripts of the surface; they hold nothing of any realm. */
final class Scripts {

  private static final List<String> NAMES =
      List.of(
          "abort",
          "bt",
          "clone",
          "console",
          "errors",
          "events",
          "fetch",
          "querystring",
          "timers",
          "inspect",
          "url",
          "util");

  private final Map<String, Script> parsed = new HashMap<>();

  private Scripts() {}

  static Scripts parse() {
    Scripts scripts = new Scripts();
    try (Context cx = new ContextFactory().enterContext()) {
      cx.setInterpretedMode(true);
      cx.setLanguageVersion(Context.VERSION_ES6);
      for (String name : NAMES) {
        scripts.parsed.put(name, cx.compileString(source(name), "node:" + name, 1, null));
      }
    }
    return scripts;
  }

  Script get(String name) {
    return parsed.get(name);
  }

  private static String source(String name) {
    try (InputStream in = Scripts.class.getResourceAsStream(name + ".js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
