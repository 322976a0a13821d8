/**
 * The query language of token search, a subset of Lucene's. Start with {@code SearchQuery}.
 * Lucene's parser reads the text; {@code SearchClauses} defines which fields exist and which values
 * each of them takes. Errors never repeat the query.
 */
package io.tokenvault.adapters.http.search;
