/**
 * The Jetty server below the routes: connectors, TLS, request and connection limits, CORS. Start
 * with {@code JettyHttpServer}. Everything that Jetty rejects by itself is turned into the problem
 * format that the routes use.
 */
package io.tokenvault.adapters.http.server;
