/**
 * The program. Start with {@code VaultServer}, its main class. The environment and the randomness
 * of the process enter here and are passed on; no other package reads them directly.
 */
package io.tokenvault.server;
