/**
 * Running statements: connections, transactions, binding of values, mapping of failures. Start with
 * {@code Database}. No text of the driver leaves this package, since it can quote values.
 */
package io.tokenvault.adapters.jdbi.sql;
