package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** How calls fail. */
public final class Refusals {

  private Refusals() {}

  /** Returns everything that the caller receives. */
  public static String assertRefused(FailureCause expected, ThrowingCallable call) {
    VaultException refused = catchThrowableOfType(VaultException.class, call);
    assertThat(refused).as("a refusal").isNotNull();
    assertThat(refused.failure()).as(refused.getMessage()).isEqualTo(expected);
    String told =
        refused instanceof ValidationException invalid
            ? invalid.errors().toString()
            : refused.getMessage();
    assertThat(told).as("the data of the tests' tokens").doesNotContain("4111");
    assertThat(refused).hasNoCause();
    return told;
  }
}
