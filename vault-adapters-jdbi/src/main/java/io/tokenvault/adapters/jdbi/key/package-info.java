/**
 * The master keyset's registry and re-encryption of stored fields. Start with {@code
 * JdbiKeysetRegistry}.
 */
package io.tokenvault.adapters.jdbi.key;
