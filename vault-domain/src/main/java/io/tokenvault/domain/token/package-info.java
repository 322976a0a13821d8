/**
 * Tokens: identifiers, types, expressions and limits. Start with {@code Token}, which holds no
 * data, and {@code TokenDraft}, which becomes a token when nothing in it is wrong.
 */
package io.tokenvault.domain.token;
