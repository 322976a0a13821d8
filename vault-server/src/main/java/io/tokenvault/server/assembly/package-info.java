/**
 * Connects the parts of the program. Start with {@code VaultNode}, a running node, and {@code
 * Backend}, a migrated database with its keys. Dependencies are passed to constructors; there is no
 * container.
 */
package io.tokenvault.server.assembly;
