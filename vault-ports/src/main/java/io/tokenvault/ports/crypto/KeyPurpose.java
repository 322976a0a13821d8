package io.tokenvault.ports.crypto;

import java.util.Locale;

/** What a key of a tenant is for; no key serves two purposes. */
public enum KeyPurpose {
  /** Encrypts fields. */
  DATA,
  /** Hashes content to tell whether it is equal. */
  FINGERPRINT,
  /** Hashes what tokens are searched by. */
  SEARCH_INDEX;

  /** The exact value in stores. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }
}
