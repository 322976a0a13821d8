/**
 * Tokens: identifiers, types, expressions and limits. Start with {@code Token}, which holds no
 * data, and {@code TokenDraft}, which becomes a token if it is valid.
 */
package io.tokenvault.domain.token;
