package io.tokenvault.domain;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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

  /** Returns the hash of two texts in UTF-8, one after the other, in hexadecimal digits. */
  public static String hex(String context, String source) {
    MessageDigest digest = digest();
    digest.update(context.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(source.getBytes(StandardCharsets.UTF_8)));
  }
}
