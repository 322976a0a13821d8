package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.JsonFields;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.hibernate.validator.HibernateValidator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.hibernate.validator.spi.nodenameprovider.Property;

/**
 * Checks the Bean Validation constraints of request records and reports violations under the names
 * that clients use, such as {@code rules[0].conditions[1].value}.
 *
 * <p>Loading this class takes long, since it prepares the validator that all requests share.
 */
public final class RequestValidator {

  /**
   * Messages of constraints. The domain uses identical ones, so that one violation is reported
   * once.
   */
  public static final String REQUIRED = "is required";

  public static final String NAME = "must be 1 to 200 characters long and not blank";

  private static final Pattern CAPITAL = Pattern.compile("(?<=[a-z0-9])[A-Z]");

  private static final Validator VALIDATOR = validator();

  private RequestValidator() {}

  /** Prepares the validator, which otherwise happens when the first request is validated. */
  public static void load() {
    // Loading the class has prepared it.
  }

  /** Returns a validator that names properties in snake case and interpolates no expressions. */
  private static Validator validator() {
    try (ValidatorFactory factory =
        Validation.byProvider(HibernateValidator.class)
            .configure()
            .messageInterpolator(new ParameterMessageInterpolator())
            .propertyNodeNameProvider(RequestValidator::snakeCase)
            .buildValidatorFactory()) {
      return factory.getValidator();
    }
  }

  private static String snakeCase(Property property) {
    return snakeCase(property.getName());
  }

  static String snakeCase(String name) {
    return CAPITAL
        .matcher(name)
        .replaceAll(capital -> "_" + capital.group().toLowerCase(Locale.ROOT));
  }

  /**
   * Reads JSON as a request record and checks its constraints.
   *
   * @param reader creates the record from the fields of the body
   * @param violations collects what is wrong; the record must not be used if there is anything
   */
  public static <T> T read(JsonValue body, Function<JsonFields, T> reader, Violations violations) {
    T request = reader.apply(JsonFields.of(body, violations));
    check(request, violations);
    return request;
  }

  /** Adds a violation for each constraint that a request record does not meet. */
  public static <T> void check(T request, Violations violations) {
    for (ConstraintViolation<T> violation : VALIDATOR.validate(request)) {
      violations.add(path(violation.getPropertyPath()), violation.getMessage());
    }
  }

  /**
   * Returns the path of a property as clients write it; {@link Violations#WHOLE_REQUEST} for the
   * record itself.
   */
  private static String path(Path path) {
    StringBuilder text = new StringBuilder();
    for (Path.Node node : path) {
      if (node.getIndex() != null) {
        text.append('[').append(node.getIndex()).append(']');
      }
      if (node.getKind() == ElementKind.PROPERTY) {
        text.append(text.isEmpty() ? "" : ".").append(node.getName());
      }
    }
    return text.isEmpty() ? Violations.WHOLE_REQUEST : text.toString();
  }
}
