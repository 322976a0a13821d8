package io.tokenvault.domain.token;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

class ChecksumsPropertyTest {

  @Property
  void exactlyOneCheckDigitCompletesCardNumber(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(min = 12, max = 18) String digits) {
    assertThat(lastDigits(digits, true)).isEqualTo(1);
  }

  @Property
  void exactlyOneCheckDigitCompletesRoutingNumber(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(8) String digits) {
    assertThat(lastDigits(digits, false)).isEqualTo(1);
  }

  @Property
  void mistypedRoutingNumberDigitIsDetected(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(8) String digits,
      @ForAll @IntRange(min = 0, max = 7) int place,
      @ForAll @IntRange(min = 1, max = 9) int difference) {
    String right = complete(digits);
    char[] wrong = right.toCharArray();
    wrong[place] = (char) ('0' + (wrong[place] - '0' + difference) % 10);

    assertThat(DataShape.isRoutingNumber(new String(wrong))).isFalse();
  }

  private static String complete(String digits) {
    for (int last = 0; last < 10; last++) {
      if (DataShape.isRoutingNumber(digits + last)) {
        return digits + last;
      }
    }
    throw new AssertionError("no valid check digit");
  }

  private static int lastDigits(String digits, boolean isCard) {
    int found = 0;
    for (int last = 0; last < 10; last++) {
      String number = digits + last;
      found +=
          (isCard ? DataShape.isCardNumber(number) : DataShape.isRoutingNumber(number)) ? 1 : 0;
    }
    return found;
  }
}
