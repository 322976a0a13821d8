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
 * The binary part of the runtime: {@code Buffer}, text encoders, and the modules {@code buffer} and
 * {@code crypto}.
 *
 * <p>One instance serves all realms of a worker. Objects of a realm are created when its script
 * first uses them.
 */
final class BufferGlobals {
  private final RandomGenerator random;
  private final WorkMeter meter;

  private BufferGlobals(RandomGenerator random, WorkMeter meter) {
    this.random = random;
    this.meter = meter;
  }

  /**
   * Loads the classes without a meter.
   *
   * @param random a cryptographically strong source
   */
  static BufferGlobals load(RandomGenerator random) {
    return load(random, WorkMeter.NONE);
  }

  /**
   * Loads classes that the JDK loads slowly, so that no invocation waits for them.
   *
   * @param random a cryptographically strong source
   * @param meter counts the work for scripts
   */
  static BufferGlobals load(RandomGenerator random, WorkMeter meter) {
    DigestAlgorithms.warm();
    return new BufferGlobals(random, meter);
  }

  /** Defines the globals of a realm. */
  void define(Context cx, ScriptableObject realm) {
    define(realm, meter);
  }

  /**
   * Defines the globals of a realm.
   *
   * @param meter counts the work for this realm
   */
  void define(ScriptableObject realm, WorkMeter meter) {
    ByteRealm bytes = new ByteRealm(realm, random, meter);
    bytes.associate();
    LazyMembers.lazily(realm, "Buffer", () -> BufferClass.in(bytes));
    LazyMembers.lazily(realm, "TextEncoder", () -> TextCoders.encoder(bytes));
    LazyMembers.lazily(realm, "TextDecoder", () -> TextCoders.decoder(bytes));
    LazyMembers.lazily(realm, "atob", () -> Base64Functions.atob(bytes));
    LazyMembers.lazily(realm, "btoa", () -> Base64Functions.btoa(bytes));
  }

  /** Returns a {@code Buffer} of the realm with a copy of the bytes. */
  Object buffer(Context cx, Scriptable realm, byte[] bytes) {
    return ByteRealm.of(realm).buffer(bytes);
  }

  /**
   * Returns a copy of the bytes of a buffer, typed array, {@code DataView} or {@code ArrayBuffer};
   * null for any other value.
   */
  byte[] bytes(Object value) {
    ByteView view = ByteView.of(value);
    return view == null ? null : view.copy();
  }

  /** Returns the value of {@code require('buffer')}. */
  Object bufferModule(Context cx, Scriptable realm) {
    return BufferModule.in(ByteRealm.of(realm));
  }

  /** Returns the value of {@code require('crypto')}. */
  Object cryptoModule(Context cx, Scriptable realm) {
    return CryptoModule.in(ByteRealm.of(realm));
  }
}
