/**
 * Token expressions: where they stand in a request, in the syntax of each place, and how token data
 * is written there. What an expression yields is never read for expressions again.
 */
package io.tokenvault.engine.expression;
