package io.tokenvault.engine.filter;

import java.util.Optional;
import java.util.random.RandomGenerator;

/** What the characters of an alias are drawn from. */
enum Replacement {
  /** Digits for digits, capitals for capitals, small letters for small letters. */
  FORMAT {
    @Override
    Optional<String> alphabet(int character) {
      if (Character.isDigit(character)) {
        return Optional.of(DIGITS);
      }
      if (Character.isUpperCase(character)) {
        return Optional.of(CAPITALS);
      }
      return Character.isLowerCase(character) ? Optional.of(SMALL_LETTERS) : Optional.empty();
    }
  },
  /** Any of them for any character. */
  LENGTH {
    @Override
    Optional<String> alphabet(int character) {
      return Optional.of(DIGITS + CAPITALS + SMALL_LETTERS);
    }
  };

  private static final String DIGITS = "0123456789";
  private static final String CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String SMALL_LETTERS = "abcdefghijklmnopqrstuvwxyz";

  /** Empty if the character stays. */
  abstract Optional<String> alphabet(int character);

  /** How many characters of a range can be replaced. */
  int count(int[] characters, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += alphabet(characters[i]).isPresent() ? 1 : 0;
    }
    return count;
  }

  String replace(int[] characters, int from, int to, RandomGenerator randomness) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < characters.length; i++) {
      Optional<String> alphabet = i >= from && i < to ? alphabet(characters[i]) : Optional.empty();
      int kept = characters[i];
      text.appendCodePoint(
          alphabet.map(each -> (int) each.charAt(randomness.nextInt(each.length()))).orElse(kept));
    }
    return text.toString();
  }
}
