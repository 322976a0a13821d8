package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a caller must be granted, on anything at all, to enter a use case.
 *
 * @param description what is missing where it is not met, for example {@code application:read}
 * @param operation what a refusal is recorded as
 */
public record Requirement(String description, Operation operation, Predicate<Caller> test) {

  /** A valid key is enough. */
  public static final Requirement VALID_KEY =
      new Requirement("a valid key", Operation.READ, caller -> true);

  /** One of these permissions; the first tells the operation. */
  public static Requirement anyOf(Permission... permissions) {
    List<Permission> allowed = List.copyOf(Arrays.asList(permissions));
    return new Requirement(
        allowed.stream().map(Permission::type).collect(Collectors.joining(" or ")),
        operation(allowed.get(0)),
        caller -> allowed.stream().anyMatch(caller::may));
  }

  /** Enough as well: another way in. */
  public Requirement or(String alternative, Predicate<Caller> other) {
    return new Requirement(description + " or " + alternative, operation, test.or(other));
  }

  boolean isMetBy(Caller caller) {
    return test.test(caller);
  }

  private static Operation operation(Permission permission) {
    String type = permission.type();
    return Operation.valueOf(type.substring(type.lastIndexOf(':') + 1).toUpperCase(Locale.ROOT));
  }
}
