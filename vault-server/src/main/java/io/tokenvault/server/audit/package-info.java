/**
 * The audit log as lines of JSON: dumps, checkpoints and the feed of entries. Start with {@code
 * LogItemLine} for the format of a dump, {@code CheckpointLine} for that of checkpoints, and {@code
 * LineSink} for that of exports and streams.
 */
package io.tokenvault.server.audit;
