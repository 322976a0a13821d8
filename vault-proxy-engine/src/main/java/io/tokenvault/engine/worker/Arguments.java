package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.ToWorker.Invoke;
import java.nio.charset.StandardCharsets;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;

/** Builds what a transform is called with: {@code {args, configuration, bt}}. */
final class Arguments {

  private final Context cx;
  private final Realm realm;

  Arguments(Context cx, Realm realm) {
    this.cx = cx;
    this.realm = realm;
  }

  Scriptable of(Invoke invoke) {
    Scriptable args = cx.newObject(realm.global());
    Scriptable request = cx.newObject(realm.global());
    request.put("args", request, args);
    args.put("body", args, body(invoke));
    Scriptable context = (Scriptable) Json.parse(cx, realm.global(), invoke.context());
    for (Object id : context.getIds()) {
      String name = id.toString();
      Object value = context.get(name, context);
      if (name.equals("bt")) {
        putClient(request, value);
      } else {
        Scriptable to = name.equals("configuration") ? request : args;
        to.put(name, to, value);
      }
    }
    return request;
  }

  private void putClient(Scriptable request, Object given) {
    if (Boolean.TRUE.equals(given)) {
      request.put("bt", request, realm.surface().client(cx, realm.global()));
    }
  }

  private Object body(Invoke invoke) {
    return switch (invoke.kind()) {
      case ABSENT -> Undefined.instance;
      case NONE -> null;
      case JSON -> Json.parse(cx, realm.global(), text(invoke));
      case TEXT -> text(invoke);
      case BINARY -> realm.surface().buffer(cx, realm.global(), invoke.body());
    };
  }

  private static String text(Invoke invoke) {
    return new String(invoke.body(), StandardCharsets.UTF_8);
  }
}
