/**
 * Requests that clients may send again under an idempotency key. Start with {@code
 * IdempotentRequests} for the API and {@code IdempotentInvocations} for the proxy. A replayed
 * response is decided on and recorded like a fresh one.
 */
package io.tokenvault.ports.usecase.idempotency;
