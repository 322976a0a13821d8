package io.tokenvault.engine.worker.node.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.Script;

/**
 * The parsed scripts of the surface, independent of any realm.
 *
 * <p>The script of the URL standard is parsed when it is first used: it is longer than all others
 * together, and most transforms do not need it.
 */
public final class RuntimeScripts {

  private static final String URL_STANDARD = "url-standard";

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

  private RuntimeScripts() {}

  /** Parses all scripts except for that of the URL standard. */
  public static RuntimeScripts parse() {
    RuntimeScripts scripts = new RuntimeScripts();
    try (Context cx = new ContextFactory().enterContext()) {
      NAMES.forEach(name -> scripts.parsed.put(name, parse(cx, name)));
    }
    return scripts;
  }

  /** Parses a script for the interpreter. */
  private static Script parse(Context cx, String name) {
    cx.setInterpretedMode(true);
    cx.setLanguageVersion(Context.VERSION_ES6);
    return cx.compileString(source(name), "node:" + name, 1, null);
  }

  /** Returns a parsed script; null if there is none with this name. */
  Script get(String name) {
    return name.equals(URL_STANDARD)
        ? parsed.computeIfAbsent(name, RuntimeScripts::parseElsewhere)
        : parsed.get(name);
  }

  /** Parses a script on another thread, since the context of an invocation forbids parsing. */
  private static Script parseElsewhere(String name) {
    return CompletableFuture.supplyAsync(
            () -> {
              try (Context cx = new ContextFactory().enterContext()) {
                return parse(cx, name);
              }
            })
        .join();
  }

  private static String source(String name) {
    try (InputStream in = RuntimeScripts.class.getResourceAsStream(name + ".js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
