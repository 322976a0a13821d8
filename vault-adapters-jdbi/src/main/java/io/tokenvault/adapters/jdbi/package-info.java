/**
 * Persistence in PostgreSQL. Start with {@code JdbiStores}, which implements all stores over one
 * database. The classes here are the entry points; SQL lives in the sub-packages, one for each kind
 * of record.
 */
package io.tokenvault.adapters.jdbi;
