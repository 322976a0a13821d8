package io.tokenvault.ports.usecase.authorization;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.token.TokenId;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The question "May this application do this, and why?" as a client wrote it; any part may be null
 * or invalid.
 *
 * @param tokenId the token in question
 * @param container the container in question, instead of a token
 */
public record AccessQuestion(
    UUID applicationId, String permission, String tokenId, String container) {

  private static final String CHOICES =
      Arrays.stream(Permission.values())
          .filter(Permission::concernsTokens)
          .map(Permission::type)
          .collect(Collectors.joining(", "));

  /**
   * Returns the permission in question, or adds a violation for everything invalid.
   *
   * @return empty if there is any violation
   */
  Optional<Permission> parse(Violations violations) {
    if (applicationId == null) {
      violations.add("application_id", "is required");
    }
    violations.checkRequired(
        "permission",
        permission,
        given -> known().isPresent(),
        unknown -> ShownName.noneOf(CHOICES, unknown));
    if (tokenId != null && TokenId.parse(tokenId).isEmpty()) {
      violations.add("token_id", TokenId.SHAPE);
    }
    if (container != null && !Container.isValid(container)) {
      violations.add("container", Container.SHAPE);
    }
    if ((tokenId == null) == (container == null)) {
      violations.add(
          Violations.WHOLE_REQUEST, "either token_id or container is required, and not both");
    }
    return known().filter(valid -> violations.isEmpty());
  }

  private Optional<Permission> known() {
    return Optional.ofNullable(permission)
        .flatMap(Permission::of)
        .filter(Permission::concernsTokens);
  }

  /** Returns the token of a valid question, or none. */
  Set<TokenId> tokens() {
    return TokenId.parse(tokenId).map(Set::of).orElseGet(Set::of);
  }

  /** Returns no content, because an invalid request can contain secrets by mistake. */
  @Override
  public String toString() {
    return "AccessQuestion[redacted]";
  }
}
