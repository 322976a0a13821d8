package io.tokenvault.engine.worker.node;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativePromise;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * What the scripts of the surface get from Java. They pass arguments of the right types, which the
 * scripts of others cannot reach, so nothing here fails for what they are.
 */
final class Host {

  /** What a call costs beside its text or bytes. */
  private static final int CALL = 100;

  /** What a character of a URL costs: it is looked at in several ways. */
  private static final int URL_CHARACTER = 20;

  private final Environment env;
  private final ScriptableObject realm;
  private ScriptableObject host;

  Host(ScriptableObject realm, Environment env) {
    this.realm = realm;
    this.env = env;
  }

  private interface Body {
    Object run(Context cx, Object[] args);
  }

  Scriptable object(Context cx) {
    host = (ScriptableObject) cx.newObject(realm);
    addLoop();
    addBytes();
    addUrls();
    return host;
  }

  private void add(String name, Body body) {
    host.put(
        name,
        host,
        new LambdaFunction(realm, name, 0, (cx, scope, self, args) -> body.run(cx, args)));
  }

  private void addLoop() {
    add("call", (cx, args) -> call(cx, text(args, 0), text(args, 1), (Callable) args[2]));
    add("setTimer", (cx, args) -> setTimer(args));
    add(
        "clearTimer",
        (cx, args) -> {
          env.clearTimer(((Number) args[0]).intValue());
          return Undefined.instance;
        });
    add(
        "microtask",
        (cx, args) -> {
          env.enqueueMicrotask((Callable) args[0], new Object[0]);
          return Undefined.instance;
        });
    add(
        "console",
        (cx, args) -> {
          env.console(text(args, 0), text(args, 1));
          return Undefined.instance;
        });
    add("kind", (cx, args) -> kind(args[0]));
  }

  private Object call(Context cx, String operation, String json, Callable done) {
    env.spend(json.length());
    env.call(cx, realm, operation, json, done);
    return Undefined.instance;
  }

  private Object setTimer(Object[] args) {
    Object[] given = ((NativeArray) args[1]).toArray();
    double delay = ((Number) args[2]).doubleValue();
    return env.setTimer((Callable) args[0], given, delay, Boolean.TRUE.equals(args[3]));
  }

  private void addBytes() {
    add("utf8", (cx, args) -> arrayBuffer(cx, spent(args, 0).getBytes(StandardCharsets.UTF_8)));
    add("decode", (cx, args) -> new String(bytes(args[0]), StandardCharsets.UTF_8));
    add("base64", (cx, args) -> Base64.getEncoder().encodeToString(bytes(args[0])));
    add("unbase64", (cx, args) -> arrayBuffer(cx, Base64.getDecoder().decode(spent(args, 0))));
    add(
        "copy",
        (cx, args) -> {
          byte[] copy = bytes(args[0]);
          return copy == null ? null : arrayBuffer(cx, copy);
        });
  }

  private Object arrayBuffer(Context cx, byte[] bytes) {
    return ByteViews.arrayBuffer(cx, realm, bytes);
  }

  private void addUrls() {
    add("parseUrl", (cx, args) -> parseUrl(cx, args));
    add("setUrl", (cx, args) -> setUrl(cx, args));
    add("encodeForm", (cx, args) -> Percent.form(spent(args, 0)));
    add(
        "decodePercent",
        (cx, args) -> new String(Percent.decode(spent(args, 0)), StandardCharsets.UTF_8));
  }

  private Object parseUrl(Context cx, Object[] args) {
    boolean based = !Undefined.isUndefined(args[1]);
    Url base = based ? UrlParser.parse(urlText(args, 1), null) : null;
    Url url = based && base == null ? null : UrlParser.parse(urlText(args, 0), base);
    return url == null ? null : cx.newArray(realm, url.parts());
  }

  private Object setUrl(Context cx, Object[] args) {
    Url url = UrlParser.parse(urlText(args, 0), null);
    Url changed = UrlParser.set(url, text(args, 1), urlText(args, 2));
    return cx.newArray(realm, changed.parts());
  }

  private static String kind(Object value) {
    if (value instanceof NativePromise) {
      return "Promise";
    }
    if (value != null && value.getClass().getSimpleName().equals("NativeProxy")) {
      // Rhino's class is its own, and says what its target is.
      return "Proxy";
    }
    return value instanceof Scriptable object ? object.getClassName() : "";
  }

  private byte[] bytes(Object value) {
    env.spend(CALL + ByteViews.length(value));
    return ByteViews.copy(value);
  }

  private String urlText(Object[] args, int at) {
    String text = text(args, at);
    env.spend(CALL + (long) URL_CHARACTER * text.length());
    return text;
  }

  private String spent(Object[] args, int at) {
    String text = text(args, at);
    env.spend(CALL + text.length());
    return text;
  }

  private static String text(Object[] args, int at) {
    return args[at].toString();
  }
}
