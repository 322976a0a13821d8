package io.tokenvault.ports.spi;

/**
 * Half of the hot path: brings what a request needs in one round trip. Decisions made on the answer
 * hold only if {@link AuditRecorder#record} confirms the versions afterwards.
 */
public interface RequestLookup {

  /**
   * Finds the caller, the proxy, and the tokens of the caller's tenant, as of one moment. Unknown
   * ids and those of other tenants take the same path and are absent from the answer.
   */
  Loaded load(Lookup lookup);
}
