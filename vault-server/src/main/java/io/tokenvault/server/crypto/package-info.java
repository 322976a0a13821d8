/**
 * Encryption and keyed hashes on Google Tink. Start with {@code MasterKeyset}: one of its keysets
 * wraps the keys of tenants, which encrypt fields and hash token data for look-ups; the other one
 * hashes API keys and proxy keys. {@code TinkTenantCrypto} defines stored bytes and must not change
 * them.
 */
package io.tokenvault.server.crypto;
