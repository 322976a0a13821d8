package io.tokenvault.domain.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TransformCodeTest {

  @Test
  void lengthIsCountedInUtf16CodeUnits() {
    String lock = "\uD83D\uDD10";
    String longest = lock.repeat(TransformCode.MAX_LENGTH / 2);

    assertThat(new TransformCode(longest).source()).isEqualTo(longest);
    assertThatIllegalArgumentException().isThrownBy(() -> new TransformCode(longest + lock));
  }

  @Test
  void blankCodeIsRejected() {
    for (String blank : List.of("", " ", "\n\t")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new TransformCode(blank))
          .withMessage("the code of a transform is empty or too long");
    }
  }

  @Test
  void codeIsNotPrinted() {
    assertThat(new TransformCode("marker")).hasToString("TransformCode[6 characters]");
  }

  @Test
  void eachKindNamesItsProxyProperty() {
    assertThat(TransformKind.REQUEST.property()).isEqualTo("request_transform");
    assertThat(TransformKind.RESPONSE.property()).isEqualTo("response_transform");
    assertThat(TransformKind.RESPONSE.codePath()).isEqualTo("response_transform.code");
  }
}
