/**
 * Tokens in PostgreSQL. Start with {@code JdbiTokens}; new tokens take the path of {@code
 * TokenInserts} if nothing is in their way, and of {@code TokenCreation} otherwise.
 *
 * <p>{@code TokenQuerySql} must agree with the domain's predicates; a contract suite compares them.
 * Data and expressions are stored encrypted only.
 */
package io.tokenvault.adapters.jdbi.token;
