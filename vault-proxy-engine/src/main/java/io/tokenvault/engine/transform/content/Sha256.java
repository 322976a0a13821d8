package io.tokenvault.engine.transform.content;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 hashes of sources. */
public final class Sha256 {

  private Sha256() {}

  /** Returns the hash of two texts in UTF-8, one after the other, in hexadecimal digits. */
  public static String hex(String context, String source) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(context.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(source.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
