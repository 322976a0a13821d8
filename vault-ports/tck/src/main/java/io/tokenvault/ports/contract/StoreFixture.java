package io.tokenvault.ports.contract;

import java.time.Instant;

/** What an adapter's author supplies to run the contract suites. */
public interface StoreFixture extends AutoCloseable {

  /** What each suite asks for: an interface, so that suites can share its implementation. */
  interface Source {
    /** A fixture with stores that hold no tenant. */
    StoreFixture openFixture();
  }

  /** Stores without any tenant. Log entries of earlier tests may be there. */
  Stores stores();

  /** From now on the stores cannot reach their data. {@link #close} mends it. */
  void breakConnection();

  /** From now on no log entry can be written, while all else works. {@link #close} mends it. */
  void refuseEntries();

  /** Puts the stores' clock forward to this moment. Where that cannot be done, the tests wait. */
  default void putClockForward(Instant moment) {}

  @Override
  void close();
}
