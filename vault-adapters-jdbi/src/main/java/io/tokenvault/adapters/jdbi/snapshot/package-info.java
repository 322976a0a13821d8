/**
 * Backups of a whole database and restoring them. Start with {@code SnapshotWriter}, which
 * describes the format, and {@code JdbiRestore}.
 *
 * <p>A snapshot is a consistent view at one time. Encrypted columns stay encrypted with the
 * tenants' data keys; the backup around a snapshot adds the MAC that protects it.
 */
package io.tokenvault.adapters.jdbi.snapshot;
