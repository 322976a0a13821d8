/**
 * The query language of token search, a subset of Lucene's. Start with {@code SearchQuery}.
 * Lucene's parser reads the text; {@code SearchClauses} defines the fields and the values that each
 * of them accepts. Error messages never repeat the query.
 */
package io.tokenvault.adapters.http.search;
