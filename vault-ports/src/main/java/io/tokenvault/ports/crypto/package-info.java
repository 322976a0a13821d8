/**
 * Encryption, keyed hashes and key management as driven ports. Start with {@code FieldCipher},
 * which encrypts one field under its tenant's data key and binds it to its place, and {@code
 * KeyWrapper}, which protects data keys by the master key.
 */
package io.tokenvault.ports.crypto;
