/**
 * Destinations behind the operator's forward proxy. Start with {@code ForwardProxy}. The proxy
 * receives host names; the egress check still decides first.
 */
package io.tokenvault.engine.forward.tunnel;
