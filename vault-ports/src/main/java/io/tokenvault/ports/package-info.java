/**
 * The hexagon's edge. {@code api} holds the driving ports, {@code store}, {@code crypto}, {@code
 * audit} and {@code runtime} the driven ports, {@code usecase} what the vault does in between. Uses
 * the JDK and the domain only.
 */
package io.tokenvault.ports;
