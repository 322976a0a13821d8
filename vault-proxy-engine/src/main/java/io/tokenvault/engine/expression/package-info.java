/**
 * Expressions in paths, queries, headers and request bodies: which media types can contain them,
 * and how each syntax is scanned and rendered. Start with {@code TextualBody} and {@code
 * LiquidExpressions}. The result of an expression is never searched for expressions again.
 */
package io.tokenvault.engine.expression;
