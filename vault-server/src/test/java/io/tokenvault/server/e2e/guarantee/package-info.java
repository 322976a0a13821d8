/**
 * Calls every endpoint as every kind of caller and under every fault of the audit log. A new
 * endpoint needs a row in Endpoint.
 */
package io.tokenvault.server.e2e.guarantee;
