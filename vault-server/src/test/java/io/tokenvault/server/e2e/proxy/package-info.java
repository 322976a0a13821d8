/** Proxied requests to destinations on loopback: forwarding, responses and rejections. */
package io.tokenvault.server.e2e.proxy;
