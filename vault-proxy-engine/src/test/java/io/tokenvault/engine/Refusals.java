package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Assertions on failed calls. */
public final class Refusals {

  private Refusals() {}

  /** Asserts the cause of a failure and returns the text that the caller receives. */
  public static String assertRefused(FailureCause expected, ThrowingCallable call) {
    VaultException refused = catchThrowableOfType(VaultException.class, call);
    assertThat(refused).as("failure").isNotNull();
    assertThat(refused.failure()).as(refused.getMessage()).isEqualTo(expected);
    String message =
        refused instanceof ValidationException invalid
            ? invalid.errors().toString()
            : refused.getMessage();
    assertThat(message).as("token data").doesNotContain("4111");
    assertThat(refused).hasNoCause();
    return message;
  }
}
