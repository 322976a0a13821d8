/**
 * The filters of expressions. Start with {@code FilterChain}, whose {@code FilterCatalog} is a
 * closed list. The cost of each filter is bounded by the length of its input.
 */
package io.tokenvault.engine.filter;
