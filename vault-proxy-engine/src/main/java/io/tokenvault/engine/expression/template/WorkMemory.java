package io.tokenvault.engine.expression.template;

/** Reserves memory for reading and rendering the expressions of a body, before it is allocated. */
@FunctionalInterface
public interface WorkMemory {

  /**
   * Reserves memory for the work.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if not that much memory is left
   */
  void reserve(long bytes);
}
