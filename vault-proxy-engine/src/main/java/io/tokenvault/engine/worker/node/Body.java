package io.tokenvault.engine.worker.node;

/** What a function of the surface does when a script calls it. */
@FunctionalInterface
interface Body {
  /**
   * Throws a {@link NodeError} where Node.js would throw; returns a value of the script's own kind,
   * never another Java object.
   */
  Object call(ByteRealm realm, Object self, Args args);
}
