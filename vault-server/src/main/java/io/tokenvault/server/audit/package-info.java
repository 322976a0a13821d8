/** Dumps and checkpoints of the audit log as lines of JSON. Start with {@code LogItemLine}. */
package io.tokenvault.server.audit;
