/**
 * Requests through the proxy, to destinations on loopback: what arrives, what comes back and what
 * is refused.
 */
package io.tokenvault.server.e2e.proxy;
