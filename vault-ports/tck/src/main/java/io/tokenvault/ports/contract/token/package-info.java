/**
 * Contract suites for token stores. Start with {@code TokenStoreContract}. Results for random
 * queries and scopes are compared with the domain model, which checks one token at a time.
 */
package io.tokenvault.ports.contract.token;
