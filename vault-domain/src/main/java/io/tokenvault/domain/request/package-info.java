/**
 * The parts of a request: headers, idempotency keys, expected versions, JSON properties. Start with
 * {@code JsonFields}, which reads an object property by property and reports all errors at once.
 */
package io.tokenvault.domain.request;
