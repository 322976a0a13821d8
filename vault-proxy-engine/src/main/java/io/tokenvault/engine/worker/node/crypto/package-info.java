/**
 * The module {@code crypto} on the JDK's providers. Start with {@code CryptoModule}. Error messages
 * and codes follow Node.js.
 */
package io.tokenvault.engine.worker.node.crypto;
