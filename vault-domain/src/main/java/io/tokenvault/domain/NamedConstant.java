package io.tokenvault.domain;

import java.util.Locale;

/** A constant of an enum that has its name in lowercase outside the code. */
public interface NamedConstant {

  /** Returns the name in the code. */
  String name();

  /** Returns the exact value in requests, responses, stores and the audit log. */
  default String value() {
    return name().toLowerCase(Locale.ROOT);
  }
}
