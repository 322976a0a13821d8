/**
 * Backups of a whole database and restoring them. Start with {@code SnapshotWriter}, which
 * describes the format, and {@code JdbiRestore}.
 *
 * <p>A snapshot is a consistent view at one time. It is not encrypted or authenticated here; the
 * code that stores it does that.
 */
package io.tokenvault.adapters.jdbi.snapshot;
