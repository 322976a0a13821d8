/**
 * The proxy endpoint, which streams requests and responses without interpreting them. Start with
 * {@code ProxyHandler}. It has no knowledge of tokens; the engine is behind {@code
 * ports.api.InvokeProxy}.
 */
package io.tokenvault.adapters.http.proxy;
