/**
 * Dumps and checkpoints of the audit log as lines of JSON. Start with {@code LogItemLine} for the
 * format of a dump, and {@code CheckpointLine} for that of checkpoints.
 */
package io.tokenvault.server.audit;
