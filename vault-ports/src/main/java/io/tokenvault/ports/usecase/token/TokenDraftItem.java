package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.token.TokenDraft;
import java.util.Objects;

/**
 * A new token as a client wrote it, somewhere in a request.
 *
 * @param path of the draft, for violations; empty for the whole request
 */
public record TokenDraftItem(String path, TokenDraft draft) {
  public TokenDraftItem {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(draft, "draft");
  }

  /** Where it is in a request with several, for messages. */
  String place() {
    return path.isEmpty() ? "" : " at " + path;
  }
}
