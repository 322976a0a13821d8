/**
 * Proxies: managing them, admitting callers to them and serving the engine. Start with {@code
 * ProxyInvocations}, the engine's view of the vault. Secret configuration is encrypted by {@code
 * ProxyCipher} and decrypted only for an admitted invocation.
 */
package io.tokenvault.ports.usecase.proxy;
