package io.tokenvault.ports.crypto;

import java.util.Locale;

/** The purpose of a tenant's key; no key serves two purposes. */
public enum KeyPurpose {
  /** Encrypts fields. */
  DATA,
  /** Hashes content to compare it for equality. */
  FINGERPRINT,
  /** Hashes the search indexes of tokens. */
  SEARCH_INDEX;

  /** Returns the exact value in stores. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }
}
