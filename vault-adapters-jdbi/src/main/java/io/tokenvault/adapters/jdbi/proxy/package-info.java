/**
 * Pre-configured proxies. Start with {@code JdbiProxies}. A proxy's key, configuration and
 * transforms are stored encrypted; its name and destination are not.
 */
package io.tokenvault.adapters.jdbi.proxy;
