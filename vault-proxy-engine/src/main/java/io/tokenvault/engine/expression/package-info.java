/**
 * Expressions in request bodies: which media types hold them and how each body is scanned and
 * filled. Start with {@code TextualBody} and {@code LiquidExpressions}. What an expression yields
 * is never read for expressions again.
 */
package io.tokenvault.engine.expression;
