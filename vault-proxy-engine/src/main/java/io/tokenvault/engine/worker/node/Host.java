package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.Environment;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.NativePromise;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SerializableCallable;
import org.mozilla.javascript.Undefined;

/**
 * What the scripts of the surface get from Java. They pass arguments of the right types, which the
 * scripts of others cannot reach, so nothing here fails for what they are.
 */
final class Host {

  private final Environment env;

  Host(Environment env) {
    this.env = env;
  }

  Scriptable object(Context cx, ScriptableObject realm) {
    ScriptableObject host = (ScriptableObject) cx.newObject(realm);
    loop(realm, host);
    bytes(realm, host);
    urls(realm, host);
    values(realm, host);
    return host;
  }

  private static void add(
      ScriptableObject realm, ScriptableObject host, String name, SerializableCallable code) {
    host.put(name, host, new LambdaFunction(realm, name, 0, code));
  }

  private void loop(ScriptableObject realm, ScriptableObject host) {
    add(
        realm,
        host,
        "call",
        (cx, scope, self, args) -> {
          env.call(cx, realm, text(args, 0), text(args, 1), (Callable) args[2]);
          return Undefined.instance;
        });
    add(
        realm,
        host,
        "setTimer",
        (cx, scope, self, args) ->
            env.setTimer(
                (Callable) args[0],
                ((NativeArray) args[1]).toArray(),
                ((Number) args[2]).doubleValue(),
                Boolean.TRUE.equals(args[3])));
    add(
        realm,
        host,
        "clearTimer",
        (cx, scope, self, args) -> {
          env.clearTimer(((Number) args[0]).intValue());
          return Undefined.instance;
        });
    add(
        realm,
        host,
        "microtask",
        (cx, scope, self, args) -> {
          env.enqueueMicrotask((Callable) args[0], new Object[0]);
          return Undefined.instance;
        });
    add(
        realm,
        host,
        "console",
        (cx, scope, self, args) -> {
          env.console(text(args, 0), text(args, 1));
          return Undefined.instance;
        });
  }

  private static void bytes(ScriptableObject realm, ScriptableObject host) {
    add(
        realm,
        host,
        "utf8",
        (cx, scope, self, args) ->
            ByteViews.arrayBuffer(cx, realm, text(args, 0).getBytes(StandardCharsets.UTF_8)));
    add(
        realm,
        host,
        "decode",
        (cx, scope, self, args) -> new String(ByteViews.copy(args[0]), StandardCharsets.UTF_8));
    add(
        realm,
        host,
        "copy",
        (cx, scope, self, args) -> {
          byte[] copy = ByteViews.copy(args[0]);
          return copy == null ? null : ByteViews.arrayBuffer(cx, realm, copy);
        });
    add(
        realm,
        host,
        "base64",
        (cx, scope, self, args) -> Base64.getEncoder().encodeToString(ByteViews.copy(args[0])));
    add(
        realm,
        host,
        "unbase64",
        (cx, scope, self, args) ->
            ByteViews.arrayBuffer(cx, realm, Base64.getDecoder().decode(text(args, 0))));
  }

  private static void urls(ScriptableObject realm, ScriptableObject host) {
    add(
        realm,
        host,
        "parseUrl",
        (cx, scope, self, args) -> {
          boolean based = !Undefined.isUndefined(args[1]);
          Url base = based ? UrlParser.parse(text(args, 1), null) : null;
          Url url = based && base == null ? null : UrlParser.parse(text(args, 0), base);
          return url == null ? null : cx.newArray(realm, url.parts());
        });
    add(
        realm,
        host,
        "setUrl",
        (cx, scope, self, args) -> {
          Url url = UrlParser.parse(text(args, 0), null);
          return cx.newArray(realm, UrlParser.set(url, text(args, 1), text(args, 2)).parts());
        });
    add(realm, host, "encodeForm", (cx, scope, self, args) -> Percent.form(text(args, 0)));
    add(
        realm,
        host,
        "decodePercent",
        (cx, scope, self, args) ->
            new String(Percent.decode(text(args, 0)), StandardCharsets.UTF_8));
  }

  private static void values(ScriptableObject realm, ScriptableObject host) {
    add(realm, host, "kind", (cx, scope, self, args) -> kind(args[0]));
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

  private static String text(Object[] args, int at) {
    return args[at].toString();
  }
}
