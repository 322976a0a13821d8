package io.tokenvault.ports.store;

/** Tells whether a store can serve. */
public interface Readiness {

  /** Whether it can be reached and its schema is the one that this version needs; never throws. */
  boolean isReady();
}
