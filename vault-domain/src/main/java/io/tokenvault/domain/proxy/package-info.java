/**
 * Pre-configured proxies, destinations and the egress policy. Start with {@code Proxy} and {@code
 * EgressPolicy}. {@code Destination.parse} rejects every URL that is not acceptable.
 */
package io.tokenvault.domain.proxy;
