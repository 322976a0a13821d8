/**
 * Persistence in PostgreSQL. Start with {@code JdbiStores}, which implements all stores over one
 * database. The classes here are the entry points, and what concerns several kinds of records; the
 * SQL of each kind is in its sub-package.
 *
 * <p>Rows are known to this module only. A change and its audit entries commit in one transaction,
 * and no text of the driver reaches a caller.
 */
package io.tokenvault.adapters.jdbi;
