package io.tokenvault.engine.worker.node.script;

/**
 * Meter of the work that Java does for a script, which the interpreter does not count.
 *
 * <p>Callers count work before they do it. If the work would exceed a limit, the call throws the
 * same {@link Error} as other limits of the invocation, which scripts cannot catch.
 */
public interface WorkMeter {
  /** Counts nothing. */
  WorkMeter NONE = units -> {};

  /**
   * Counts work that is about to be done.
   *
   * @param units one for each byte to be hashed, encrypted, copied, searched or converted, which
   *     takes about two nanoseconds; other work counts as the bytes that take as long
   */
  void spend(long units);
}
