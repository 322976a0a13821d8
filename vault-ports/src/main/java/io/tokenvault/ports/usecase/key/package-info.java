/**
 * Key management: data keys, rotation, re-encryption. Start with {@code ManageKeys}. {@code
 * KeysetGuard} keeps a process with a wrong master keyset away from the store.
 */
package io.tokenvault.ports.usecase.key;
