/**
 * What each endpoint is put under: every kind of caller, and every fault of the audit log. A new
 * endpoint gets a row in Endpoint.
 */
package io.tokenvault.server.e2e.guarantee;
