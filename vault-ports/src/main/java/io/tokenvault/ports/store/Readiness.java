package io.tokenvault.ports.store;

/** Checks whether a store can serve requests. */
public interface Readiness {

  /**
   * Returns whether the store can be reached and has the schema that this version needs. Never
   * throws.
   */
  boolean isReady();
}
