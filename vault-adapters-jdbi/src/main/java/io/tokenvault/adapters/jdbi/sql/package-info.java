/**
 * Running statements: connections, transactions, binding of values, mapping of failures. Start with
 * {@code Database}; {@code StoredColumns} selects the columns that all reads share, and {@code
 * StoredRows} converts them to records.
 *
 * <p>No text of the driver leaves this package, since it can quote stored values.
 */
package io.tokenvault.adapters.jdbi.sql;
