package io.tokenvault.domain.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RefusedExceptionTest {

  @Test
  void refusalIsLoggedAsSentenceAndOtherFailureAsClass() {
    assertThat(RefusedException.describe(RefusedException.unavailable(null)))
        .isEqualTo("The database cannot be reached; try again.");
    assertThat(RefusedException.describe(new IllegalStateException("secret")))
        .isEqualTo("java.lang.IllegalStateException");
  }
}
