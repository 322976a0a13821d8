package io.tokenvault.ports.crypto;

import java.util.Objects;

/**
 * A keyed hash (HMAC-SHA-256) of something of a token.
 *
 * @param keyVersion of the tenant's key for its purpose
 * @param hex 64 lower-case hexadecimal digits
 */
public record TokenHash(int keyVersion, String hex) {
  public TokenHash {
    Objects.requireNonNull(hex, "hex");
  }
}
