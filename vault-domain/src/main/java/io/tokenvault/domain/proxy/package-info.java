/**
 * Pre-configured proxies, destinations and the egress policy. Start with {@code Proxy} and {@code
 * EgressPolicy}. A {@code Destination} that is not acceptable cannot exist.
 */
package io.tokenvault.domain.proxy;
