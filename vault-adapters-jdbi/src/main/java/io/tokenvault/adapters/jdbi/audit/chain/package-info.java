/**
 * The hash chain over the audit log. Start with {@code JdbiHashChainStore}, which extends the
 * chains; {@code JdbiChainedLog} reads them for verification.
 *
 * <p>One process at a time extends the chains, under an advisory lock. The database's tables call a
 * link of a chain a seal.
 */
package io.tokenvault.adapters.jdbi.audit.chain;
