/**
 * Tokens in PostgreSQL. Start with {@code JdbiTokens}. {@code TokenScopeSql} and {@code
 * TokenQuerySql} must agree with the domain's predicates; a contract suite compares them.
 */
package io.tokenvault.adapters.jdbi.token;
