package io.tokenvault.domain.token;

/** Verifies the check digits of card and routing numbers. */
final class Checksums {

  private static final int[] ABA_WEIGHTS = {3, 7, 1};

  private Checksums() {}

  /**
   * Returns whether a string has 13 to 19 digits with a valid Luhn check digit (ISO/IEC 7812-1).
   */
  static boolean isCardNumber(String text) {
    return text.matches("[0-9]{13,19}") && luhnSum(text) % 10 == 0;
  }

  private static int luhnSum(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int weighted = i % 2 == 0 ? digit : 2 * digit;
      sum += weighted > 9 ? weighted - 9 : weighted;
    }
    return sum;
  }

  /**
   * Returns whether a string has 9 digits with the valid check digit of an American routing number
   * (ABA).
   */
  static boolean isRoutingNumber(String text) {
    return text.matches("[0-9]{9}") && abaSum(text) % 10 == 0;
  }

  private static int abaSum(String digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      sum += ABA_WEIGHTS[i % ABA_WEIGHTS.length] * (digits.charAt(i) - '0');
    }
    return sum;
  }
}
