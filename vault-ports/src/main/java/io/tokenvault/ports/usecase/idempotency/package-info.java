/**
 * Idempotency: safe retries under an idempotency key. Start with {@code IdempotentRequests} for the
 * API and {@code IdempotentInvocations} for the proxy. A replayed response is decided on and
 * recorded like a new one.
 */
package io.tokenvault.ports.usecase.idempotency;
