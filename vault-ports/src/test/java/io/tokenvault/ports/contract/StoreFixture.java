package io.tokenvault.ports.contract;

/** What an adapter's author supplies to run the contract suites. */
public interface StoreFixture extends AutoCloseable {

  /** Stores without any tenant. Log entries of earlier tests may be there. */
  Stores stores();

  /** From now on the stores cannot reach their data. {@link #close} mends it. */
  void breakConnection();

  /** From now on no log entry can be written, while all else works. {@link #close} mends it. */
  void refuseEntries();

  @Override
  void close();
}
