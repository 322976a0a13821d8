/**
 * Encryption and keyed hashes, by Google Tink. The master keyset wraps the data keys of tenants,
 * which encrypt their fields; a keyset of its own purpose hashes API keys and proxy keys.
 */
package io.tokenvault.server.crypto;
