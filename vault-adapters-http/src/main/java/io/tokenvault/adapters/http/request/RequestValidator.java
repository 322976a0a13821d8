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
 * Checks the constraints that request records carry, and names properties as clients do: {@code
 * rules[0].conditions[1].value}.
 */
public final class RequestValidator {

  /** Messages of constraints, in the domain's words, so that one mistake is reported once. */
  public static final String REQUIRED = "is required";

  public static final String NAME = "must be 1 to 200 characters long and not blank";

  private static final Pattern CAPITAL = Pattern.compile("(?<=[a-z0-9])[A-Z]");

  private final Validator validator;

  public RequestValidator() {
    try (ValidatorFactory factory =
        Validation.byProvider(HibernateValidator.class)
            .configure()
            .messageInterpolator(new ParameterMessageInterpolator())
            .propertyNodeNameProvider(RequestValidator::snakeCase)
            .buildValidatorFactory()) {
      validator = factory.getValidator();
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
   * JSON as a request record.
   *
   * @param violations takes what is wrong with its shape
   */
  public <T> T read(JsonValue body, Function<JsonFields, T> reader, Violations violations) {
    T request = reader.apply(JsonFields.of(body, violations));
    check(request, violations);
    return request;
  }

  public <T> void check(T request, Violations violations) {
    for (ConstraintViolation<T> violation : validator.validate(request)) {
      violations.add(path(violation.getPropertyPath()), violation.getMessage());
    }
  }

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
