package io.tokenvault.domain.secret;

import java.util.random.RandomGenerator;

/** The alphabet of keys, {@code 0-9A-Za-z}. */
final class Base62 {

  static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private Base62() {}

  static String random(int length, RandomGenerator randomness) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(ALPHABET.charAt(randomness.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }

  /** Encodes a number in base 62, padded on the left with zeros to {@code length} characters. */
  static String encode(long number, int length) {
    char[] text = new char[length];
    long rest = number;
    for (int i = length - 1; i >= 0; i--) {
      text[i] = ALPHABET.charAt((int) (rest % ALPHABET.length()));
      rest /= ALPHABET.length();
    }
    return new String(text);
  }

  static boolean isBase62(String text) {
    return text.chars().allMatch(character -> ALPHABET.indexOf(character) >= 0);
  }
}
