/**
 * What a request states about itself: headers, idempotency keys, versions, JSON fields. Start with
 * {@code JsonFields}, which reads an object field by field and reports all errors at once.
 */
package io.tokenvault.domain.request;
