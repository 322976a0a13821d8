/**
 * Applications and the hashes of their API keys. Start with {@code JdbiApplications}.
 *
 * <p>The table of credentials maps the hash of a key to its owner, for applications and proxies
 * alike. A key itself is never stored in this table.
 */
package io.tokenvault.adapters.jdbi.application;
