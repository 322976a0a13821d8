package io.tokenvault.domain;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 hashes. */
public final class Sha256 {

  private Sha256() {}

  /** Returns a new digest. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
