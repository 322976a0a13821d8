package io.tokenvault.ports.crypto;

import java.util.Objects;

/**
 * A keyed hash (HMAC-SHA-256) of token data or of a request.
 *
 * @param keyVersion the version of the tenant's key for this purpose
 * @param hex 64 lowercase hexadecimal digits
 */
public record TokenHash(int keyVersion, String hex) {
  public TokenHash {
    Objects.requireNonNull(hex, "hex");
  }
}
