/**
 * The hash chain that makes tampering with the log detectable. Start with {@code LogEncoding},
 * which defines the bytes that are hashed; they must never change. {@code ChainLink} binds entries
 * to their predecessors; {@code Checkpoint} is the signed head that is stored outside the database.
 */
package io.tokenvault.domain.audit.integrity;
