/**
 * Persistence in PostgreSQL. Start with {@code JdbiStores}, which implements all stores over one
 * database. The classes here are the entry points; SQL lives in the sub-packages, one for each kind
 * of record.
 *
 * <p>Rows are known to this module only. A change and its audit entries commit in one transaction,
 * and no text of the driver reaches a caller.
 */
package io.tokenvault.adapters.jdbi;
