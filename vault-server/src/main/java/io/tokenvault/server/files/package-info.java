/**
 * Files that hold secrets, backups, and standard output. Start with {@code OwnerOnlyFile}, which
 * only its owner can read from its creation on. {@code BackupFile} writes and verifies
 * authenticated copies of a whole database; they do not contain the master keyset.
 */
package io.tokenvault.server.files;
