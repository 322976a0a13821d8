package io.tokenvault.engine.transform;

import io.tokenvault.engine.exchange.Exchange;

/** What surrounds transforms: what they are told of their proxy, and who does what they ask for. */
public interface TransformHosts {

  /** Whether they are given the client of the vault. */
  boolean hasClient(Exchange exchange);

  /** Whether nothing is sent to the destination. */
  boolean isDryRun();

  /** For one run. */
  Opened open(Exchange exchange);

  /** To be closed when the run is over. */
  interface Opened extends TransformRunner.Host, AutoCloseable {

    /**
     * Whether the vault was unavailable for something that was asked for.
     *
     * @param outOfTime the run has no more time; then what still waits counts too
     */
    boolean missedTheVault(boolean outOfTime);

    @Override
    void close();
  }
}
