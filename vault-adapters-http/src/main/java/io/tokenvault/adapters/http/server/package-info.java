/**
 * The Jetty server below the routes: connectors, TLS, limits of connections, and the chain of
 * handlers. Start with {@code JettyHttpServer}. Requests that Jetty rejects receive the same
 * problem format as those that the routes reject.
 */
package io.tokenvault.adapters.http.server;
