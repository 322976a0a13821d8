package io.tokenvault.engine.worker.node;

import java.util.random.RandomGenerator;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * The part of Node.js that is about bytes: {@code Buffer}, text encoders, and the modules {@code
 * buffer} and {@code crypto}. One for each worker, which any number of realms may be given; nothing
 * of a realm is made before its script asks for it.
 */
final class ByteSurface {
  private final RandomGenerator random;
  private final WorkMeter meter;

  private ByteSurface(RandomGenerator random, WorkMeter meter) {
    this.random = random;
    this.meter = meter;
  }

  /** {@code random} must be fit for secrets. */
  static ByteSurface load(RandomGenerator random) {
    return load(random, WorkMeter.NONE);
  }

  /** Loads what the JDK loads slowly, so that no invocation waits for it. */
  static ByteSurface load(RandomGenerator random, WorkMeter meter) {
    Digests.warm();
    return new ByteSurface(random, meter);
  }

  /** Gives the realm the globals. */
  void define(Context cx, ScriptableObject realm) {
    define(realm, meter);
  }

  /** Gives the realm the globals, whose work is counted by a meter of its own. */
  void define(ScriptableObject realm, WorkMeter meter) {
    ByteRealm bytes = new ByteRealm(realm, random, meter);
    bytes.associate();
    Members.lazily(realm, "Buffer", () -> BufferClass.in(bytes));
    Members.lazily(realm, "TextEncoder", () -> TextClasses.encoder(bytes));
    Members.lazily(realm, "TextDecoder", () -> TextClasses.decoder(bytes));
    Members.lazily(realm, "atob", () -> BinaryText.atob(bytes));
    Members.lazily(realm, "btoa", () -> BinaryText.btoa(bytes));
  }

  /** A {@code Buffer} of the realm with a copy of the bytes. */
  Object buffer(Context cx, Scriptable realm, byte[] bytes) {
    return ByteRealm.of(realm).buffer(bytes);
  }

  /**
   * A copy of the bytes of a buffer, typed array, {@code DataView} or {@code ArrayBuffer}, or null.
   */
  byte[] bytes(Object value) {
    ByteView view = ByteView.of(value);
    return view == null ? null : view.copy();
  }

  /** What {@code require('buffer')} gives. */
  Object bufferModule(Context cx, Scriptable realm) {
    return BufferModule.in(ByteRealm.of(realm));
  }

  /** What {@code require('crypto')} gives. */
  Object cryptoModule(Context cx, Scriptable realm) {
    return CryptoModule.in(ByteRealm.of(realm));
  }
}
