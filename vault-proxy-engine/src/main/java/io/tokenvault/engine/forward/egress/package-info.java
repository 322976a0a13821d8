/**
 * The egress check at connection time: names are resolved once, and the address that is dialed is
 * checked again on the socket. Start with {@code GuardedDns} and {@code GuardedSocket}.
 */
package io.tokenvault.engine.forward.egress;
