package io.tokenvault.domain.failure;

import java.util.List;
import java.util.Map;

/** The request is wrong in one or more places, all of which are named. */
public final class ValidationException extends VaultException {

  private static final long serialVersionUID = 1L;

  private final transient Map<String, List<String>> errors;

  public ValidationException(Violations violations) {
    super(
        FailureCause.VALIDATION_FAILED, "The request is not valid; see errors for details.", null);
    this.errors = violations.asMap();
  }

  /** A single violation of one property. */
  public static ValidationException of(String path, String message) {
    return new ValidationException(new Violations().add(path, message));
  }

  /** Messages by property path, for example {@code rules[0].container}; never empty. */
  public Map<String, List<String>> errors() {
    return errors;
  }
}
