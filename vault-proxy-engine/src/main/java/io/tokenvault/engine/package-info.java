/**
 * The proxy: authorises, replaces token references, forwards, returns. The order of things is the
 * list in {@link io.tokenvault.engine.ProxyEngine}.
 */
package io.tokenvault.engine;
