/**
 * Texts with slots for token data. Start with {@code Template}. {@code TokenValues} is the only
 * class in which token data becomes text.
 */
package io.tokenvault.engine.expression.template;
