package io.tokenvault.domain.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureCauseTest {

  @Test
  void everyCauseHasAUrnOfItsOwn() {
    assertThat(FailureCause.values())
        .extracting(FailureCause::urn)
        .doesNotHaveDuplicates()
        .allMatch(urn -> urn.matches("urn:tokenvault:problem:[a-z-]+"));
  }

  @Test
  void theTitleOfAValidationProblemIsFixed() {
    assertThat(FailureCause.VALIDATION_FAILED.title())
        .isEqualTo("One or more validation errors occurred.");
  }

  @Test
  void notFoundTellsNothing() {
    assertThat(RefusedException.notFound().code()).isEqualTo(FailureCode.NOT_FOUND);
    assertThat(RefusedException.notFound()).hasNoCause();
  }
}
