/**
 * Suites that a store of tokens must pass. Start with {@code TokenStoreContract}. Every query and
 * every scope is compared with the domain, which decides about one token at a time.
 */
package io.tokenvault.ports.contract.token;
