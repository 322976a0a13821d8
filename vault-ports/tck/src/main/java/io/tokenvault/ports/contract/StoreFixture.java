package io.tokenvault.ports.contract;

import io.tokenvault.ports.VaultStores;
import java.time.Instant;
import org.junit.jupiter.api.Assumptions;

/** What an adapter's author supplies to run the contract suites. */
public interface StoreFixture extends AutoCloseable {

  /** What each suite asks for: an interface, so that suites can share its implementation. */
  interface Source {
    /** A fixture with stores that hold no tenant. */
    StoreFixture openFixture();
  }

  /** Stores without any tenant. Log entries of earlier tests may be there. */
  VaultStores stores();

  /** From now on the stores cannot reach their data. {@link #close} mends it. */
  void breakConnection();

  /** From now on no log entry can be written, while all else works. {@link #close} mends it. */
  void refuseEntries();

  /**
   * Ends the stores as a crash of the process or of the connection would, without closing them, and
   * opens them again. Later calls of {@link #stores} return the new ones. Without it, the law of
   * durability is skipped.
   */
  default void crash() {
    Assumptions.abort("the fixture cannot crash its stores");
  }

  /**
   * Tries to change and to delete an entry of the log in the database itself, with the rights of
   * the stores, and ignores that this is refused. Without it, the law of an unchangeable log is
   * skipped.
   */
  default void tryToChangeAnEntry() {
    Assumptions.abort("the fixture cannot try to change an entry");
  }

  /** Puts the stores' clock forward to this moment. Where that cannot be done, the tests wait. */
  default void putClockForward(Instant moment) {}

  @Override
  void close();
}
