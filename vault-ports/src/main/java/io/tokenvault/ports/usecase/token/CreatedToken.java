package io.tokenvault.ports.usecase.token;

import java.util.Objects;

/**
 * What became of a draft.
 *
 * @param isNew whether a token was made, and not found by deduplication
 */
public record CreatedToken(TokenView view, boolean isNew) {
  public CreatedToken {
    Objects.requireNonNull(view, "view");
  }
}
