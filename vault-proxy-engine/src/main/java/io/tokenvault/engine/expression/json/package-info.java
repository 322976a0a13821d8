/**
 * Expressions in JSON strings. Start with {@code JsonBodySyntax}. An expression that is a whole
 * string is replaced by a JSON value.
 */
package io.tokenvault.engine.expression.json;
