/**
 * Master keys and key rotation: which master keys the nodes hold, and all encrypted fields of a
 * tenant. Start with {@code JdbiKeysetRegistry} for master keys and with {@code
 * JdbiEncryptedFields} for the rotation of data keys. No key material is stored here in the clear.
 */
package io.tokenvault.adapters.jdbi.key;
