/**
 * Encryption and keyed hashes by Google Tink. Start with {@code MasterKeyset}. It wraps the keys of
 * tenants, which encrypt their fields and hash what tokens are found by; a keyset of its own
 * purpose hashes API keys and proxy keys.
 */
package io.tokenvault.server.crypto;
