package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.Operation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The permissions that a caller needs, on any token or resource at all, to enter a use case. For
 * example, {@code Requirement.anyOf(Permission.LOG_READ)}.
 *
 * @param description names the missing permission in refusals, for example {@code application:read}
 * @param operation the operation under which a refusal is recorded
 * @param test whether a caller meets the requirement
 */
public record Requirement(String description, Operation operation, Predicate<Caller> test) {

  /** A valid API key without any particular permission. */
  public static final Requirement VALID_KEY =
      new Requirement("a valid key", Operation.READ, caller -> true);

  /**
   * Returns the requirement of at least one of these permissions; the first determines the recorded
   * operation.
   */
  public static Requirement anyOf(Permission... permissions) {
    List<Permission> allowed = List.copyOf(Arrays.asList(permissions));
    return new Requirement(
        allowed.stream().map(Permission::type).collect(Collectors.joining(" or ")),
        operation(allowed.get(0)),
        caller -> allowed.stream().anyMatch(caller::may));
  }

  /** Returns a requirement that an alternative meets, too. */
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
