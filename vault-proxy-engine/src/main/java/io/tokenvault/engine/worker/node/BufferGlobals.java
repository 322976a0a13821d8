package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.node.buffer.Base64Functions;
import io.tokenvault.engine.worker.node.buffer.BufferClass;
import io.tokenvault.engine.worker.node.buffer.BufferModule;
import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.buffer.TextCoders;
import io.tokenvault.engine.worker.node.crypto.CryptoModule;
import io.tokenvault.engine.worker.node.crypto.DigestAlgorithms;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.WorkMeter;
import java.util.random.RandomGenerator;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/**
 * The part of Node.js that is about bytes: {@code Buffer}, text encoders, and the modules {@code
 * buffer} and {@code crypto}. One for each worker, which any number of realms may be given; nothing
 * of a realm is made before its script asks for it.
 */
final class BufferGlobals {
  private final RandomGenerator random;
  private final WorkMeter meter;

  private BufferGlobals(RandomGenerator random, WorkMeter meter) {
    this.random = random;
    this.meter = meter;
  }

  /** {@code random} must be fit for secrets. */
  static BufferGlobals load(RandomGenerator random) {
    return load(random, WorkMeter.NONE);
  }

  /** Loads what the JDK loads slowly, so that no invocation waits for it. */
  static BufferGlobals load(RandomGenerator random, WorkMeter meter) {
    DigestAlgorithms.warm();
    return new BufferGlobals(random, meter);
  }

  /** Gives the realm the globals. */
  void define(Context cx, ScriptableObject realm) {
    define(realm, meter);
  }

  /** Gives the realm the globals, whose work is counted by a meter of its own. */
  void define(ScriptableObject realm, WorkMeter meter) {
    ByteRealm bytes = new ByteRealm(realm, random, meter);
    bytes.associate();
    LazyMembers.lazily(realm, "Buffer", () -> BufferClass.in(bytes));
    LazyMembers.lazily(realm, "TextEncoder", () -> TextCoders.encoder(bytes));
    LazyMembers.lazily(realm, "TextDecoder", () -> TextCoders.decoder(bytes));
    LazyMembers.lazily(realm, "atob", () -> Base64Functions.atob(bytes));
    LazyMembers.lazily(realm, "btoa", () -> Base64Functions.btoa(bytes));
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
