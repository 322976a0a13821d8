/**
 * Connections to destinations. A name is resolved once, and the socket checks the address that it
 * connects to again. Below TLS, the bytes around the content of a response are limited. Start with
 * {@code GuardedDns}, {@code GuardedSocket} and {@code TrackedTlsSockets}.
 */
package io.tokenvault.engine.forward.egress;
