/**
 * A vault as a library. Start with {@code Vault.builder()}; the other types here are its parts. The
 * command line in {@code cli} uses the same builder. Randomness enters here and in the main class,
 * and is passed on; no other package reads it directly.
 */
package io.tokenvault.server;
