/**
 * Running statements: connections, transactions, binding of values, mapping of failures. Start with
 * {@code Database}; {@code StoredColumns} and {@code StoredRow} describe the rows that all reads
 * share.
 *
 * <p>No text of the driver leaves this package, since it can quote stored values.
 */
package io.tokenvault.adapters.jdbi.sql;
