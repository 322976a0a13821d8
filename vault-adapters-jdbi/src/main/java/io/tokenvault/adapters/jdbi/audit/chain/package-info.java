/**
 * The hash chain over the log. Start with {@code JdbiHashChainStore}. One process at a time extends
 * a chain, under an advisory lock.
 */
package io.tokenvault.adapters.jdbi.audit.chain;
