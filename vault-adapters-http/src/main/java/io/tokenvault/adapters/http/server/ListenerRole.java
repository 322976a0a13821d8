package io.tokenvault.adapters.http.server;

/** The part of the interface that a listener serves. */
public enum ListenerRole {
  /** All routes of the API and the proxy, without pages. */
  MAIN,
  /**
   * Management routes, metrics, the operator's pages, and the token routes that these need, which
   * return at most masks. Never the proxy: a destination's response must not share an origin with a
   * page that knows an API key.
   */
  ADMIN;

  boolean isAdmin() {
    return this == ADMIN;
  }
}
