package io.tokenvault.engine.transform;

import io.tokenvault.engine.exchange.Exchange;

/**
 * Environment in which transforms run: an invocation or a dry run.
 *
 * <p>It decides whether transforms are given the {@code bt} client, and opens a host for each run.
 */
public interface TransformHosts {

  /** Returns whether transforms of this exchange are given the {@code bt} client. */
  boolean hasClient(Exchange exchange);

  /** Returns whether this is a dry run, which sends nothing to the destination. */
  boolean isDryRun();

  /**
   * Opens the host of one run.
   *
   * @return a host that the caller must close when the run is over
   */
  Opened open(Exchange exchange);

  /** Host of one run; closed when the run is over. */
  interface Opened extends TransformRunner.Host, AutoCloseable {

    /**
     * Returns whether the vault was unavailable for a call of the run.
     *
     * @param outOfTime whether the run exceeded its time limit; then calls that are still waiting
     *     for the vault count too
     */
    boolean missedTheVault(boolean outOfTime);

    /** Cancels the calls in progress and rejects later ones. */
    @Override
    void close();
  }
}
