/**
 * The proxy endpoint: bytes in as they arrive, bytes out as they arrive. Start with {@code
 * ProxyHandler}. It knows nothing of tokens; the engine is behind {@code ports.api.InvokeProxy}.
 */
package io.tokenvault.adapters.http.proxy;
