/**
 * Backup files: authenticated copies of a whole database. Start with {@code BackupWriter} and
 * {@code BackupFile}.
 */
package io.tokenvault.server.backup;
