package io.tokenvault.domain.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TransformFailedExceptionTest {

  private static final String DETAIL = "The request transform failed at line 3.";

  private static TransformFailedException failed(int status, Map<String, List<String>> errors) {
    return new TransformFailedException(FailureCause.TRANSFORM_FAILED, status, DETAIL, errors, 3);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 418, 500, 599})
  void errorStatusIsAccepted(int status) {
    assertThat(failed(status, Map.of()).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, 0, 200, 399, 600, Integer.MAX_VALUE})
  void otherStatusIsRejected(int status) {
    assertThatIllegalArgumentException().isThrownBy(() -> failed(status, Map.of()));
  }

  @Test
  void authorErrorsAreOrderedAndAbsentFromMessage() {
    Map<String, List<String>> errors = new LinkedHashMap<>();
    errors.put("zip", List.of("marker", "second"));
    errors.put("city", List.of("marker"));

    TransformFailedException failure = failed(400, errors);

    assertThat(failure.errors()).containsExactlyEntriesOf(errors);
    assertThat(failure.line()).isEqualTo(3);
    assertThat(failure.failure()).isEqualTo(FailureCause.TRANSFORM_FAILED);
    assertThat(failure.code()).isEqualTo(FailureCode.SCRIPT_FAILED);
    assertThat(failure).hasMessage(DETAIL).hasNoCause();
    assertThat(failure.toString()).doesNotContain("marker");
  }
}
