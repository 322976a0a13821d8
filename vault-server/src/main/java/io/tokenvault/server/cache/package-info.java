/**
 * The look-up cache. Start with {@code CaffeineLookupCache}. Its results can be stale; the
 * statement that records a request validates them.
 */
package io.tokenvault.server.cache;
