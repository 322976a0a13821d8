/**
 * The look-up cache. Start with {@code CaffeineLookupCache}. What it returns can be stale; the
 * statement that records a request validates it.
 */
package io.tokenvault.server.cache;
