package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.compile.BuiltInModules;
import io.tokenvault.engine.worker.node.buffer.BufferClass;
import io.tokenvault.engine.worker.node.buffer.BufferModule;
import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyProperties;
import io.tokenvault.engine.worker.node.buffer.TextCoders;
import io.tokenvault.engine.worker.node.crypto.CryptoModule;
import io.tokenvault.engine.worker.node.crypto.DigestAlgorithm;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.RealmServices;
import io.tokenvault.engine.worker.node.script.RuntimeScripts;
import io.tokenvault.engine.worker.node.script.RuntimeScripts.RealmModules;
import io.tokenvault.engine.worker.node.script.ScriptHost;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.Initializable;
import org.mozilla.javascript.LazilyLoadedCtor;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SymbolKey;

/**
 * The globals and built-in modules of Node.js that transforms may use.
 *
 * <p>One instance serves all realms of a worker and has no state of any. A global is created when a
 * script first uses it, since most invocations need few of them.
 *
 * <pre>{@code
 * NodeSurface surface = NodeSurface.load(List.of());
 * surface.define(cx, global, services);
 * Object util = surface.module(cx, global, "node:util");
 * }</pre>
 */
public final class NodeSurface {

  /** The scripts that create globals, each with the names of its globals. */
  private static final List<String> GLOBALS =
      List.of(
          "abort AbortController AbortSignal Event EventTarget DOMException MessagePort",
          "clone structuredClone",
          "console console",
          "errors BadRequestError AuthenticationError AuthorizationError NotFoundError"
              + " RateLimitError CustomHttpResponseError",
          "fetch fetch Headers Request Response",
          "form Blob File FormData",
          "intl Intl",
          "performance performance",
          "stream-web ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy"
              + " DecompressionStream ReadableByteStreamController ReadableStream"
              + " ReadableStreamBYOBReader ReadableStreamBYOBRequest"
              + " ReadableStreamDefaultController ReadableStreamDefaultReader TextDecoderStream"
              + " TextEncoderStream TransformStream TransformStreamDefaultController"
              + " WritableStream WritableStreamDefaultController WritableStreamDefaultWriter",
          "timers setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate"
              + " queueMicrotask",
          "url URL URLSearchParams",
          "weak WeakRef FinalizationRegistry");

  /** The modules that are a property of what a script creates: the script and the property. */
  private static final Map<String, List<String>> PARTS =
      Map.of(
          "assert/strict", List.of("assert", "strict"),
          "console", List.of("console", "console"),
          "path/posix", List.of("path", "posix"),
          "stream/consumers", List.of("stream-web", "consumers"),
          "stream/promises", List.of("stream", "promises"),
          "stream/web", List.of("stream-web", "module"),
          "timers/promises", List.of("timers-promises", "module"),
          "https", List.of("http", "https"),
          "http", List.of("http", "http"),
          "util/types", List.of("util", "types"));

  private final RuntimeScripts scripts;
  private final RandomGenerator random;
  private final Set<String> errorModules;
  private final List<LazyGlobal> globals = new ArrayList<>();

  private NodeSurface(RuntimeScripts scripts, RandomGenerator random, List<String> errorModules) {
    this.scripts = scripts;
    this.random = random;
    this.errorModules = new LinkedHashSet<>(errorModules);
    this.errorModules.add(BuiltInModules.ERRORS);
    for (String line : GLOBALS) {
      List<String> names = List.of(line.split(" "));
      names.stream().skip(1).forEach(name -> globals.add(new LazyGlobal(name, names.get(0))));
    }
  }

  /**
   * Parses the scripts of the surface; call this once for each worker. Random numbers are from the
   * platform's source for secrets.
   *
   * @param errorModules additional names of the module {@code vault-errors}
   */
  public static NodeSurface load(List<String> errorModules) {
    // The JDK loads these classes slowly, so no invocation waits for them.
    DigestAlgorithm.warm();
    try {
      RandomGenerator random = SecureRandom.getInstance("NativePRNGNonBlocking");
      return new NodeSurface(RuntimeScripts.parse(), random, errorModules);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no source of randomness", e);
    }
  }

  /**
   * Defines the globals of a new realm.
   *
   * @param realm the global object, with the standard objects of the language
   * @param services supplies the services of the event loop that runs the realm; null while the
   *     realm is built, which is not counted as work of a script
   */
  public void define(Context cx, ScriptableObject realm, Supplier<RealmServices> services) {
    LongConsumer work =
        units -> {
          RealmServices loop = services.get();
          if (loop != null) {
            loop.spend(units);
          }
        };
    RealmModules.define(realm, scripts, new ScriptHost(realm, services, work));
    LocaleFunctions.install(realm, work);
    DateConstructor.install(realm, work);
    for (LazyGlobal global : globals) {
      new LazilyLoadedCtor(realm, global.name(), false, false, global);
    }
    defineBytes(realm, random, work);
    realm.defineProperty("global", realm, ScriptableObject.DONTENUM);
    realm.defineProperty(
        SymbolKey.TO_STRING_TAG, "global", ScriptableObject.DONTENUM | ScriptableObject.READONLY);
  }

  /**
   * Defines the binary globals of a realm, and what the modules {@code buffer} and {@code crypto}
   * need. Objects are created when a script first uses them.
   *
   * @param meter counts the work for this realm
   */
  static void defineBytes(ScriptableObject realm, RandomGenerator random, LongConsumer meter) {
    ByteRealm bytes = new ByteRealm(realm, random, meter);
    LazyProperties.lazily(realm, "Buffer", () -> BufferClass.in(bytes));
    LazyProperties.lazily(realm, "TextEncoder", () -> TextCoders.encoder(bytes));
    LazyProperties.lazily(realm, "TextDecoder", () -> TextCoders.decoder(bytes));
    LazyProperties.lazily(realm, "atob", () -> BufferModule.atob(bytes));
    LazyProperties.lazily(realm, "btoa", () -> BufferModule.btoa(bytes));
    LazyProperties.lazily(realm, "crypto", () -> CryptoModule.webCrypto(bytes));
    for (String name : List.of("CryptoKey", "SubtleCrypto")) {
      LazyProperties.lazily(realm, name, () -> CryptoModule.webCryptography(bytes, name));
    }
  }

  /**
   * Returns a built-in module.
   *
   * @param name the name, with or without the prefix {@code node:}
   * @return null if there is no such module
   */
  public Object module(Context cx, Scriptable realm, String name) {
    RealmModules modules = RealmModules.of(realm);
    if (errorModules.contains(name)) {
      return modules.property(cx, "errors", "module");
    }
    String plain = BuiltInModules.ofNode(name);
    if (plain == null) {
      return null;
    }
    return switch (plain) {
      case "buffer" -> BufferModule.in(ByteRealm.of(realm));
      case "crypto" -> CryptoModule.in(ByteRealm.of(realm));
      default -> {
        List<String> part = PARTS.get(plain);
        yield part == null
            ? modules.load(cx, plain)
            : modules.property(cx, part.get(0), part.get(1));
      }
    };
  }

  /**
   * Returns what modules of the operator find in place of a module that gives access to files,
   * sockets, processes or the engine: the names, with functions that throw.
   *
   * @param name the name, with or without the prefix {@code node:}
   * @param require the function {@code require} of the module that asks
   * @return null if it is no such module
   */
  public Object unavailableModule(Context cx, Scriptable realm, String name, Function require) {
    String plain = BuiltInModules.unavailable(name);
    return plain == null
        ? null
        : RealmModules.of(realm).call(cx, "unavailable", "module", plain, require);
  }

  /** Returns the minimal {@code process} of operator modules. */
  public Object process(Context cx, Scriptable realm) {
    return RealmModules.of(realm).load(cx, "process");
  }

  /** Returns the {@code bt} client object. */
  public Object client(Context cx, Scriptable realm) {
    return RealmModules.of(realm).property(cx, "bt", "client");
  }

  /** Returns a {@code Buffer} with a copy of the given bytes. */
  public Object buffer(Context cx, Scriptable realm, byte[] content) {
    return ByteRealm.of(realm).buffer(content);
  }

  /**
   * Returns a copy of the bytes of a {@code Buffer}, {@code Uint8Array}, {@code ArrayBuffer} or
   * {@code DataView}; null for any other value.
   */
  public byte[] bytes(Object value) {
    ByteView view = ByteView.of(value);
    return view == null ? null : view.copy();
  }

  /**
   * Returns the content of a thrown error of the module {@code vault-errors}; null for any other
   * value.
   */
  public ThrownError describe(Context cx, Scriptable realm, Object thrown) {
    RealmModules modules = RealmModules.of(realm);
    if (!(thrown instanceof Scriptable) || !modules.isLoaded("errors")) {
      return null;
    }
    Object description = modules.call(cx, "errors", "describe", thrown);
    if (!(description instanceof NativeArray array)) {
      return null;
    }
    int status = ((Number) array.get(0)).intValue();
    return array.size() == 3
        ? new ThrownError.HttpResponse(status, array.get(1, array), array.get(2, array))
        : new ThrownError.Refusal(status, array.get(1, array));
  }

  /** A global that a script creates when it is first used. */
  private record LazyGlobal(String name, String script) implements Initializable {

    @Override
    public Object initialize(Context cx, Scriptable realm, boolean isSealed) {
      return RealmModules.of(realm).property(cx, script, name);
    }
  }

  /** Content of a thrown error of the module {@code vault-errors}. */
  public sealed interface ThrownError {

    /**
     * An error that the script threw in order to reject the request.
     *
     * @param status 400 to 599
     * @param errors an object with lists of messages by field
     */
    record Refusal(int status, Object errors) implements ThrownError {}

    /**
     * A response that the script threw in order to end the invocation. The values are JavaScript
     * values and as unchecked as those that a transform returns.
     *
     * @param status the HTTP status, any number
     * @param headers an object or undefined
     * @param body any value
     */
    record HttpResponse(int status, Object headers, Object body) implements ThrownError {}
  }
}
