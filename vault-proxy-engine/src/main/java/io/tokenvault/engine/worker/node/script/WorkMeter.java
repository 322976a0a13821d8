package io.tokenvault.engine.worker.node.script;

/**
 * Counts work that Java does for a script, since the interpreter's own count does not see it. Asked
 * before the work is done; a call that would go over a limit throws what the limits of the
 * invocation throw, an {@link Error}, so that no {@code catch} of a script sees it.
 */
public interface WorkMeter {
  /** Counts nothing. */
  WorkMeter NONE = units -> {};

  /**
   * Work that is about to be done.
   *
   * @param units one for each byte to be hashed, ciphered, copied, searched or converted, about two
   *     nanoseconds each; what is not done byte by byte is given as what takes as long
   */
  void spend(long units);
}
