package io.tokenvault.ports.usecase.token;

/**
 * The result for a draft.
 *
 * @param isNew whether a token was created rather than found by deduplication
 */
public record CreatedToken(TokenView view, boolean isNew) {}
