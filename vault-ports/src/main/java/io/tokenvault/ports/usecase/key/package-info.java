/**
 * Key management: data keys, rotation, re-encryption. Start with {@code ManageTenantKeys}. {@code
 * KeysetGuard} rejects a process with a wrong master keyset.
 */
package io.tokenvault.ports.usecase.key;
