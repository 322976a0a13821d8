package io.tokenvault.engine.worker.node.script;

import io.tokenvault.engine.worker.node.script.Compression.Format;
import io.tokenvault.engine.worker.node.script.Decompression.Corrupt;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativePromise;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;

/**
 * Functions of Java for the scripts of the surface, as the properties of a host object.
 *
 * <p>Only the scripts of the surface can reach this object, and they pass arguments of the right
 * types, so the functions do not check them.
 */
public final class ScriptHost {

  /** Rhino's class of proxies, which is not public. */
  private static final String PROXY = "org.mozilla.javascript.NativeProxy";

  /** The cost of a call in addition to that of its text or bytes. */
  private static final int CALL = 100;

  private final Supplier<RealmServices> services;
  private final LongConsumer work;
  private final ScriptableObject realm;
  private ScriptableObject host;

  /**
   * Creates the functions of a realm.
   *
   * @param services supplies the services of the event loop that runs the realm
   * @param work counts the work for the realm
   */
  public ScriptHost(ScriptableObject realm, Supplier<RealmServices> services, LongConsumer work) {
    this.realm = realm;
    this.services = services;
    this.work = work;
  }

  Scriptable object(Context cx) {
    host = (ScriptableObject) cx.newObject(realm);
    addLoop();
    addBytes();
    addCompression();
    return host;
  }

  private void add(String name, BiFunction<Context, Object[], Object> body) {
    host.put(
        name,
        host,
        new LambdaFunction(realm, name, 0, (cx, scope, self, args) -> body.apply(cx, args)));
  }

  /** Adds a function without a result. */
  private void addAction(String name, Consumer<Object[]> action) {
    add(
        name,
        (cx, args) -> {
          action.accept(args);
          return Undefined.instance;
        });
  }

  private void addLoop() {
    addAction("call", args -> call(text(args, 0), text(args, 1), (Callable) args[2]));
    add("setTimer", (cx, args) -> setTimer(args));
    addAction("clearTimer", args -> services.get().clearTimer(((Number) args[0]).intValue()));
    addAction("microtask", args -> services.get().enqueueMicrotask((Callable) args[0]));
    addAction("console", args -> services.get().console(text(args, 0), text(args, 1)));
    add("kind", (cx, args) -> kind(args[0]));
  }

  private void call(String operation, String json, Callable done) {
    work.accept(json.length());
    services.get().call(operation, json, done);
  }

  private Object setTimer(Object[] args) {
    Object[] given = ((NativeArray) args[1]).toArray();
    double delay = ((Number) args[2]).doubleValue();
    return services.get().setTimer((Callable) args[0], given, delay, Boolean.TRUE.equals(args[3]));
  }

  private void addBytes() {
    add("utf8", (cx, args) -> arrayBuffer(cx, spent(args[0]).getBytes(StandardCharsets.UTF_8)));
    add("decode", (cx, args) -> new String(bytes(args[0]), StandardCharsets.UTF_8));
    add("decodePercent", (cx, args) -> decodedPercent(spent(args[0])));
    add("base64", (cx, args) -> Base64.getEncoder().encodeToString(bytes(args[0])));
    add("unbase64", (cx, args) -> arrayBuffer(cx, Base64.getDecoder().decode(spent(args[0]))));
    add(
        "copy",
        (cx, args) -> {
          byte[] copy = bytes(args[0]);
          return copy == null ? null : arrayBuffer(cx, copy);
        });
    addAction("detach", args -> ((NativeArrayBuffer) args[0]).detach());
    add("isDetached", (cx, args) -> ((NativeArrayBuffer) args[0]).isDetached());
  }

  private void addCompression() {
    Compression compression = new Compression(work);
    add(
        "compress",
        (cx, args) ->
            arrayBuffer(
                cx,
                compression.compress(
                    ByteView.of(args[0]),
                    Format.valueOf(text(args, 1)),
                    ((Number) args[2]).intValue(),
                    ((Number) args[3]).intValue(),
                    bytes(args[4]))));
    add("decompress", this::decompress);
    add(
        "crc32",
        (cx, args) ->
            (double) compression.crc32(ByteView.of(args[0]), ((Number) args[1]).longValue()));
  }

  /** Returns the decompressed data, or a list of the code and the message of an error. */
  private Object decompress(Context cx, Object[] args) {
    double limit = ((Number) args[2]).doubleValue();
    Decompression run = new Decompression(ByteView.of(args[0]), bytes(args[4]), limit, work);
    try {
      return arrayBuffer(cx, run.run(Format.valueOf(text(args, 1)), Boolean.TRUE.equals(args[3])));
    } catch (Corrupt e) {
      return cx.newArray(realm, new Object[] {e.code(), e.getMessage()});
    }
  }

  private Object arrayBuffer(Context cx, byte[] bytes) {
    NativeArrayBuffer buffer =
        (NativeArrayBuffer) cx.newObject(realm, "ArrayBuffer", new Object[] {bytes.length});
    System.arraycopy(bytes, 0, buffer.getBuffer(), 0, bytes.length);
    return buffer;
  }

  /** Decodes percent-encoded UTF-8; text that is not an escape remains unchanged. */
  private static String decodedPercent(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%'
          && i + 2 < bytes.length
          && HexFormat.isHexDigit(bytes[i + 1])
          && HexFormat.isHexDigit(bytes[i + 2])) {
        int high = HexFormat.fromHexDigit(bytes[i + 1]);
        int low = HexFormat.fromHexDigit(bytes[i + 2]);
        out.write(high << 4 | low);
        i += 2;
      } else {
        out.write(bytes[i]);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns whether a value is a proxy, whose class name for scripts is that of its target. */
  public static boolean isProxy(Object value) {
    return value != null && value.getClass().getName().startsWith(PROXY);
  }

  /** Returns the class name of a value, which scripts cannot fake; empty for primitive values. */
  private static String kind(Object value) {
    if (value instanceof NativePromise) {
      return "Promise";
    }
    if (isProxy(value)) {
      return "Proxy";
    }
    if (value instanceof HostObject<?> object) {
      return object.kind();
    }
    return value instanceof Scriptable object ? object.getClassName() : "";
  }

  /** Counts the work and returns a copy of the bytes; null if the value has none. */
  private byte[] bytes(Object value) {
    ByteView view = ByteView.of(value);
    work.accept(CALL + (view == null ? 0 : view.length));
    return view == null ? null : view.copy();
  }

  /** Counts the work and returns the text. */
  private String spent(Object value) {
    String text = value.toString();
    work.accept(CALL + text.length());
    return text;
  }

  private static String text(Object[] args, int at) {
    return args[at].toString();
  }
}
