package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.node.script.RealmModules;
import io.tokenvault.engine.worker.node.script.RealmServices;
import io.tokenvault.engine.worker.node.script.RuntimeScripts;
import io.tokenvault.engine.worker.node.script.ScriptHost;
import io.tokenvault.engine.worker.node.script.ThrownError;
import io.tokenvault.engine.worker.node.util.DateConstructor;
import io.tokenvault.engine.worker.node.util.LocaleFunctions;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Initializable;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SymbolKey;

/**
 * Globals and built-in modules. Shared by all realms of a worker; keeps nothing of any. In a realm
 * everything is made when it is first touched, since a realm serves one invocation.
 */
public final class NodeSurface {

  /** The script that makes each global. */
  private static final Map<String, List<String>> GLOBALS =
      Map.of(
          "url", List.of("URL", "URLSearchParams"),
          "console", List.of("console"),
          "timers",
              List.of(
                  "setTimeout",
                  "setInterval",
                  "setImmediate",
                  "clearTimeout",
                  "clearInterval",
                  "clearImmediate",
                  "queueMicrotask"),
          "clone", List.of("structuredClone"),
          "fetch", List.of("fetch", "Headers", "Request", "Response"),
          "abort",
              List.of("AbortController", "AbortSignal", "Event", "EventTarget", "DOMException"),
          "errors",
              List.of(
                  "BadRequestError",
                  "AuthenticationError",
                  "AuthorizationError",
                  "NotFoundError",
                  "RateLimitError",
                  "CustomHttpResponseError"));

  private static final List<String> MODULES =
      List.of("events", "querystring", "timers", "url", "util");

  private static final String ERRORS = "vault-errors";

  private final RuntimeScripts scripts;
  private final BufferGlobals bytes;
  private final Set<String> errorModules;
  private final List<LazyGlobal> globals = new ArrayList<>();

  private NodeSurface(RuntimeScripts scripts, BufferGlobals bytes, List<String> errorModules) {
    this.scripts = scripts;
    this.bytes = bytes;
    this.errorModules = new LinkedHashSet<>(errorModules);
    this.errorModules.add(ERRORS);
    new TreeMap<>(GLOBALS).forEach((script, names) -> names.forEach(name -> add(script, name)));
  }

  private void add(String script, String name) {
    globals.add(new LazyGlobal(name, script));
  }

  /** Parses the scripts of the surface, with the platform's source of secrets. */
  public static NodeSurface load(List<String> errorModules) {
    try {
      return load(errorModules, SecureRandom.getInstance("NativePRNGNonBlocking"));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no source of randomness", e);
    }
  }

  /**
   * Parses the scripts of the surface, once for each worker.
   *
   * @param errorModules further names of the module {@code vault-errors}
   * @param random fit for secrets
   */
  public static NodeSurface load(List<String> errorModules, RandomGenerator random) {
    return new NodeSurface(RuntimeScripts.parse(), BufferGlobals.load(random), errorModules);
  }

  /** The names of the built-in modules, without {@code node:}. */
  public Set<String> builtins() {
    Set<String> names = new LinkedHashSet<>(List.of("buffer", "crypto", "console"));
    names.addAll(MODULES);
    names.addAll(errorModules);
    return names;
  }

  /** Defines the globals of a new realm. */
  public void define(Context cx, ScriptableObject realm, RealmServices env) {
    RealmModules.define(realm, scripts, new ScriptHost(realm, env));
    LocaleFunctions.install(realm, env);
    DateConstructor.install(realm, env);
    for (LazyGlobal global : globals) {
      new LazilyLoadedCtor(realm, global.name(), false, false, global);
    }
    bytes.define(realm, env::spend);
    realm.defineProperty("global", realm, ScriptableObject.DONTENUM);
    realm.defineProperty(
        SymbolKey.TO_STRING_TAG, "global", ScriptableObject.DONTENUM | ScriptableObject.READONLY);
  }

  /** A built-in module, with or without {@code node:}; null if there is none of this name. */
  public Object module(Context cx, Scriptable realm, String name) {
    String plain = name.startsWith("node:") ? name.substring("node:".length()) : name;
    if (plain.equals("buffer")) {
      return bytes.bufferModule(cx, realm);
    }
    if (plain.equals("crypto")) {
      return bytes.cryptoModule(cx, realm);
    }
    if (plain.equals("console")) {
      return RealmModules.of(realm).property(cx, "console", "console");
    }
    if (MODULES.contains(plain)) {
      return RealmModules.of(realm).load(cx, plain);
    }
    boolean errors = errorModules.contains(name);
    return errors ? RealmModules.of(realm).property(cx, "errors", "module") : null;
  }

  /** The object {@code bt}. */
  public Object client(Context cx, Scriptable realm) {
    return RealmModules.of(realm).property(cx, "bt", "client");
  }

  /** A {@code Buffer} of these bytes. */
  public Object buffer(Context cx, Scriptable realm, byte[] content) {
    return bytes.buffer(cx, realm, content);
  }

  /** The bytes of a Buffer, a Uint8Array, an ArrayBuffer or a DataView; null of all else. */
  public byte[] bytes(Object value) {
    return bytes.bytes(value);
  }

  /** What an error of the module {@code vault-errors} says; null of all else. */
  public ThrownError describe(Context cx, Scriptable realm, Object thrown) {
    RealmModules modules = RealmModules.of(realm);
    if (!(thrown instanceof Scriptable) || !modules.isLoaded("errors")) {
      return null;
    }
    Object said = modules.call(cx, "errors", "describe", thrown);
    if (!(said instanceof NativeArray array)) {
      return null;
    }
    int status = ((Number) array.get(0)).intValue();
    return array.size() == 3
        ? new ThrownError.Answer(status, array.get(1, array), array.get(2, array))
        : new ThrownError.Refusal(status, errors((NativeArray) array.get(1)));
  }

  private static Map<String, List<String>> errors(NativeArray pairs) {
    Map<String, List<String>> errors = new LinkedHashMap<>();
    for (Object pair : pairs) {
      List<String> texts = new ArrayList<>();
      for (Object text : (NativeArray) ((NativeArray) pair).get(1)) {
        texts.add(text.toString());
      }
      errors.put(((NativeArray) pair).get(0).toString(), texts);
    }
    return errors;
  }

  /** A global that a script makes when it is first touched. */
  private record LazyGlobal(String name, String script) implements Initializable {

    @Override
    public Object initialize(Context cx, Scriptable realm, boolean isSealed) {
      return RealmModules.of(realm).property(cx, script, name);
    }
  }
}
