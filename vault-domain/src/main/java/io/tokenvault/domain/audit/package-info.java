/**
 * The vocabulary of the audit log: entries, operations, entities, actors. Start with {@code
 * AuditEntry}. Nothing here can hold a secret; an architecture rule checks it.
 */
package io.tokenvault.domain.audit;
