/**
 * The ports and use cases of the hexagonal architecture. {@code api} holds the driving ports,
 * {@code store}, {@code crypto}, {@code audit} and {@code runtime} the driven ports, and {@code
 * usecase} the use cases between them; {@code VaultStores} is what a storage adapter provides.
 * Depends on the JDK and the domain only.
 */
package io.tokenvault.ports;
