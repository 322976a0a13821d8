package io.tokenvault.domain.failure;

import java.util.List;
import java.util.Map;

/** Reports an invalid request with all of its violations. */
public final class ValidationException extends VaultException {

  private static final long serialVersionUID = 1L;

  private final transient Map<String, List<String>> errors;

  public ValidationException(Violations violations) {
    super(
        FailureCause.VALIDATION_FAILED, "The request is not valid; see errors for details.", null);
    this.errors = violations.asMap();
  }

  /** Returns the failure for a single violation of one property. */
  public static ValidationException of(String path, String message) {
    return new ValidationException(new Violations().add(path, message));
  }

  /** Returns the messages by property path, for example {@code rules[0].container}; never empty. */
  public Map<String, List<String>> errors() {
    return errors;
  }
}
