/** Pre-configured proxies. Start with {@code JdbiProxies}. */
package io.tokenvault.adapters.jdbi.proxy;
