package io.tokenvault.adapters.http.server;

/** Which part of the interface a listener shows. */
public enum ListenerRole {
  /** Everything that callers use, and no page. */
  MAIN,
  /**
   * What is managed, and the pages of operators. Never the proxy: what a destination answers must
   * not have the origin of a page that knows a key.
   */
  ADMIN;

  boolean isAdmin() {
    return this == ADMIN;
  }
}
