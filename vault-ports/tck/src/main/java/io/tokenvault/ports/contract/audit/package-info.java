/**
 * Contract suites for the hash chain, the feed, and the months of the audit log. They need a {@link
 * io.tokenvault.ports.contract.audit.ChainedLogFixture}.
 */
package io.tokenvault.ports.contract.audit;
