package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.NodeError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Cipher algorithm, known by its name in OpenSSL: AES with a key length and a mode. */
final class CipherSpec {
  /** Names such as {@code aes-256-cbc}; {@code aes256} stands for CBC mode. */
  private static final Pattern NAME = Pattern.compile("aes-?(128|192|256)(?:-(cbc|ctr|ecb|gcm))?");

  /** Other names of GCM. */
  private static final Pattern OTHER_NAME = Pattern.compile("id-aes(128|192|256)-gcm");

  /** The length of the key, in bytes. */
  private final int keyLength;

  /** The mode, as the JDK names it. */
  private final String mode;

  private CipherSpec(int keyLength, String mode) {
    this.keyLength = keyLength;
    this.mode = mode;
  }

  /**
   * Returns the algorithm of a name in any case.
   *
   * @throws NodeError if it is not supported
   */
  static CipherSpec named(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    Matcher other = OTHER_NAME.matcher(lower);
    if (other.matches()) {
      return new CipherSpec(Integer.parseInt(other.group(1)) / 8, "GCM");
    }
    Matcher match = NAME.matcher(lower);
    if (!match.matches()) {
      throw NodeError.error("ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    }
    String mode = match.group(2) == null ? "CBC" : match.group(2).toUpperCase(Locale.ROOT);
    return new CipherSpec(Integer.parseInt(match.group(1)) / 8, mode);
  }

  /** Returns the names that {@code getCiphers} lists. */
  static Object[] list() {
    List<String> names = new ArrayList<>();
    for (String size : new String[] {"128", "192", "256"}) {
      for (String mode : new String[] {"cbc", "ctr", "ecb", "gcm"}) {
        names.add("aes-" + size + "-" + mode);
      }
    }
    names.addAll(List.of("aes128", "aes192", "aes256"));
    names.addAll(List.of("id-aes128-GCM", "id-aes192-GCM", "id-aes256-GCM"));
    return names.toArray();
  }

  String mode() {
    return mode;
  }

  boolean isGcm() {
    return mode.equals("GCM");
  }

  /** Returns whether the mode works on whole blocks and therefore needs padding. */
  boolean isBlockwise() {
    return mode.equals("CBC") || mode.equals("ECB");
  }

  /**
   * Checks the lengths of the key and the initialization vector.
   *
   * @throws NodeError if one does not fit the algorithm
   */
  void check(byte[] key, byte[] iv) {
    if (key.length != keyLength) {
      throw NodeError.range("ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
    }
    boolean fits = isGcm() ? iv.length > 0 : iv.length == (mode.equals("ECB") ? 0 : 16);
    if (!fits) {
      throw NodeError.type("ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
    }
  }
}
