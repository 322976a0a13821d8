/**
 * The edge of the hexagon, from the inside: {@code api} is what drives the vault, {@code spi} what
 * it drives, {@code usecase} what it does in between.
 */
package io.tokenvault.ports;
