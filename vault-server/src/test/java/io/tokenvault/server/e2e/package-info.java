/**
 * The service as its clients see it: over HTTP, on a real database and, behind the proxy, real TLS.
 * {@link io.tokenvault.server.e2e.RunningVault} is where to start reading.
 */
package io.tokenvault.server.e2e;
