/**
 * The egress check at connection time. A name is resolved once, and the socket checks the address
 * that it connects to again. Start with {@code GuardedDns} and {@code GuardedSocket}.
 */
package io.tokenvault.engine.forward.egress;
