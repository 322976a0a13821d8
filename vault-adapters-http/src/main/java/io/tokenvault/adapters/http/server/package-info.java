/**
 * The Jetty server around the routes: connectors, TLS, limits of connections, the chain of
 * handlers, and the proxy endpoint, which streams requests and responses without interpreting them.
 * Start with {@code VaultHttpServer}. Requests that Jetty rejects receive the same problem format
 * as those that the routes reject.
 */
package io.tokenvault.adapters.http.server;
