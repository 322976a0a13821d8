/**
 * Implementations of ports for tests: stores, logs, ciphers, and expressions. The stores pass the
 * suites of {@link io.tokenvault.ports.contract}.
 */
package io.tokenvault.ports.memory;
