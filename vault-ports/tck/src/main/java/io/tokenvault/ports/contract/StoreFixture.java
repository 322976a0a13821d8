package io.tokenvault.ports.contract;

import io.tokenvault.ports.VaultStores;
import java.time.Instant;
import org.junit.jupiter.api.Assumptions;

/** A fixture through which the contract suites use the stores of an adapter. */
public interface StoreFixture extends AutoCloseable {

  /** Opens fixtures. It is an interface so that suites can share an implementation. */
  interface Source {
    /** Opens a fixture whose stores have no tenants. */
    StoreFixture openFixture();
  }

  /** Returns stores without tenants. The log may contain entries of earlier tests. */
  VaultStores stores();

  /** Disconnects the stores from their data until {@link #close}. */
  void breakConnection();

  /** Rejects all audit entries until {@link #close}, while everything else works. */
  void refuseEntries();

  /**
   * Simulates a crash of the process or the connection: opens the data again without closing the
   * stores. {@link #stores} then returns the new ones. By default, the durability test is skipped.
   */
  default void crash() {
    Assumptions.abort("the fixture does not simulate crashes");
  }

  /**
   * Tries to change and to delete an audit entry directly in the database, with the privileges of
   * the stores, and ignores errors. By default, the immutability test is skipped.
   */
  default void tryToChangeAnEntry() {
    Assumptions.abort("the fixture does not change entries in the database");
  }

  /** Advances the clock of the stores, if possible; otherwise the tests wait. */
  default void putClockForward(Instant moment) {}

  @Override
  void close();
}
