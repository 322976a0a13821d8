/**
 * Creating, reading, updating, searching and importing tokens. {@code TokenDecryptor} is the only
 * access to plaintext: it decides, records durably, and only then decrypts. Only {@code
 * TokenContents} calls the cipher, and only for {@code TokenDecryptor} and for new data. Start with
 * {@code CreateTokens} and {@code VaultTokens}.
 */
package io.tokenvault.ports.usecase.token;
