package io.tokenvault.ports.store.model;

import io.tokenvault.domain.access.AccessTransform;

/**
 * A resource that a recorded response shows, and how much of it: enough to authorize the replay of
 * the response again.
 *
 * @param shown how much of a token's data is shown; always {@code REVEAL} for other kinds
 */
public record ResponseSubject(Kind kind, AccessTransform shown, String id) {

  /** Returns the subject for an application or proxy. */
  public static ResponseSubject of(Kind kind, Object id) {
    return new ResponseSubject(kind, AccessTransform.REVEAL, id.toString());
  }

  /** The kind of resource and, for tokens, the operation that put it into the response. */
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
