package io.tokenvault.domain.audit;

import java.util.Locale;

/** What was done to an entity. */
public enum Operation {
  CREATE,
  READ,
  UPDATE,
  DELETE,
  USE,
  INVOKE,
  REGENERATE,
  SEARCH,
  /** Read from an entry that says something else; nothing is recorded with it. */
  UNKNOWN;

  /** The value in answers. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }
}
