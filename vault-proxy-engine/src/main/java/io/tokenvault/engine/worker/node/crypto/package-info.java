/**
 * The module {@code crypto}, based on the providers of the JDK. Start with {@code CryptoModule}.
 * Error messages and codes follow Node.js.
 */
package io.tokenvault.engine.worker.node.crypto;
