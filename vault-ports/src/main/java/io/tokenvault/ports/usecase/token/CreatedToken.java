package io.tokenvault.ports.usecase.token;

import java.util.Objects;

/**
 * The result for a draft.
 *
 * @param isNew whether a token was created rather than found by deduplication
 */
public record CreatedToken(TokenView view, boolean isNew) {
  public CreatedToken {
    Objects.requireNonNull(view, "view");
  }
}
