/**
 * Backup files: authenticated copies of a whole database. Start with {@code BackupFormat}; {@code
 * BackupWriter} writes files and {@code BackupFile} verifies them. Backups do not contain the
 * master keyset.
 */
package io.tokenvault.server.backup;
