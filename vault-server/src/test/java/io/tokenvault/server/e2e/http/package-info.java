/**
 * Conventions of all endpoints: problems, idempotency, conditional requests, the OpenAPI document
 * and the admin listener.
 */
package io.tokenvault.server.e2e.http;
