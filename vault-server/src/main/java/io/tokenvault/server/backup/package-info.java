/**
 * Backup files: authenticated copies of a whole database. {@code BackupFile} writes and verifies
 * them. Backups do not contain the master keyset.
 */
package io.tokenvault.server.backup;
