package io.tokenvault.engine.worker.node;

import java.util.random.RandomGenerator;
import org.mozilla.javascript.*;

final class ByteSurface {
  static ByteSurface load(RandomGenerator r) {
    return new ByteSurface();
  }

  void define(Context cx, ScriptableObject realm) {}

  Object buffer(Context cx, Scriptable realm, byte[] b) {
    return ByteViews.arrayBuffer(cx, realm, b);
  }

  byte[] bytes(Object v) {
    return ByteViews.copy(v);
  }

  Object bufferModule(Context cx, Scriptable realm) {
    return cx.newObject(realm);
  }

  Object cryptoModule(Context cx, Scriptable realm) {
    return cx.newObject(realm);
  }
}
