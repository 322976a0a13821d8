package io.tokenvault.engine.expression.text;

/**
 * Where memory is asked for, before it is needed, to read and to fill the expressions of a body.
 */
@FunctionalInterface
public interface WorkMemory {

  /**
   * @throws io.tokenvault.domain.failure.RefusedException if there is not that much left
   */
  void reserve(long bytes);
}
