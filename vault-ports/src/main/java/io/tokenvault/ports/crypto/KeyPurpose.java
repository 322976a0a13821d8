package io.tokenvault.ports.crypto;

import io.tokenvault.domain.NamedConstant;

/** The purpose of a tenant's key; no key serves two purposes. */
public enum KeyPurpose implements NamedConstant {
  /** Encrypts fields. */
  DATA,
  /** Hashes content to compare it for equality. */
  FINGERPRINT,
  /** Hashes the search indexes of tokens. */
  SEARCH_INDEX;
}
