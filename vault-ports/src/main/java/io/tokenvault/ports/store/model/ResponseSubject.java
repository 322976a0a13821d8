package io.tokenvault.ports.store.model;

import io.tokenvault.domain.access.AccessTransform;
import java.util.Objects;

/**
 * What an answer tells of, and how much: enough to decide anew who may be given it.
 *
 * @param shown how much of the data of a token; of all else there is one way to show it
 */
public record ResponseSubject(Kind kind, AccessTransform shown, String id) {

  public ResponseSubject {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(shown, "shown");
    Objects.requireNonNull(id, "id");
  }

  /** An application or proxy. */
  public static ResponseSubject of(Kind kind, Object id) {
    return new ResponseSubject(kind, AccessTransform.REVEAL, id.toString());
  }

  /** What it is, and how it came into the answer. */
  public enum Kind {
    APPLICATION,
    PROXY,
    TOKEN_CREATED,
    TOKEN_FOUND,
    TOKEN_CHANGED;

    public boolean isToken() {
      return this != APPLICATION && this != PROXY;
    }
  }
}
