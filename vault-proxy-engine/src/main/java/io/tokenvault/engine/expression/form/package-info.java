/** Expressions in forms and other percent-encoded text. Start with {@code PercentEncodedText}. */
package io.tokenvault.engine.expression.form;
