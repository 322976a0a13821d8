/**
 * Connects the parts of the program. Start with {@code Vault}, a running vault, and {@code
 * Backend}, a migrated database with its keys. Dependencies are passed to constructors; there is no
 * container.
 */
package io.tokenvault.server.assembly;
