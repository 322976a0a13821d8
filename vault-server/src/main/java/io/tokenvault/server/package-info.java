/**
 * The program. {@code VaultServer} is its main class and the only one that reads the clock, the
 * environment and randomness.
 */
package io.tokenvault.server;
