/**
 * Backups of a whole database and restoring them. Start with {@code SnapshotWriter} and {@code
 * JdbiRestore}. A snapshot is a consistent view at one time.
 */
package io.tokenvault.adapters.jdbi.snapshot;
