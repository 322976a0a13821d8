/**
 * The audit log as driven ports: recording, reading, the feed to other systems and the hash chain.
 * Start with {@code AuditRecorder}: {@code record} returns only after the entries are durable, or
 * reports that a precondition no longer holds. The laws of {@code ports.store} apply here, too.
 */
package io.tokenvault.ports.audit;
