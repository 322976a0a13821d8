/**
 * Conventions of all endpoints: problems, idempotency, conditional requests, the OpenAPI document
 * and the listener of operators.
 */
package io.tokenvault.server.e2e.http;
