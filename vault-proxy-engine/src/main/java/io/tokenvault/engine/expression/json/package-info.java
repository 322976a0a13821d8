/**
 * Expressions in JSON strings. An expression that is a whole string is replaced by a JSON value.
 */
package io.tokenvault.engine.expression.json;
