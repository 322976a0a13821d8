package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.token.TokenDraft;
import java.util.Objects;

/**
 * A new token as a client wrote it, with its place in the request.
 *
 * @param path the path of the draft, for violations; empty for the whole request
 */
public record TokenDraftItem(String path, TokenDraft draft) {
  public TokenDraftItem {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(draft, "draft");
  }

  /** Returns the place in a request with several drafts, for messages. */
  String place() {
    return path.isEmpty() ? "" : " at " + path;
  }
}
