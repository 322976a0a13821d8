package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.failure.Violations;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import org.hibernate.validator.HibernateValidator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;

/**
 * Checks the Bean Validation constraints of requests that no type of the domain checks.
 *
 * <p>Loading this class takes long, since it prepares the validator that all requests share.
 */
public final class RequestValidator {

  static final String REQUIRED = "is required";

  private static final Validator VALIDATOR = validator();

  private RequestValidator() {}

  /** Prepares the validator, which otherwise happens when the first request is validated. */
  public static void load() {
    // Loading the class has prepared it.
  }

  /** Returns a validator that interpolates no expressions. */
  private static Validator validator() {
    try (ValidatorFactory factory =
        Validation.byProvider(HibernateValidator.class)
            .configure()
            .messageInterpolator(new ParameterMessageInterpolator())
            .buildValidatorFactory()) {
      return factory.getValidator();
    }
  }

  /** Adds a violation, under the name of the property, for each constraint that is not met. */
  static <T> void check(T request, Violations violations) {
    for (ConstraintViolation<T> violation : VALIDATOR.validate(request)) {
      violations.add(violation.getPropertyPath().toString(), violation.getMessage());
    }
  }
}
