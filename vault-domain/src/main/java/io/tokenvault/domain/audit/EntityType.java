package io.tokenvault.domain.audit;

import io.tokenvault.domain.token.TokenType;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A kind of entity in the audit log. Tokens appear under their own type.
 *
 * @param displayName the name for people
 * @param value the value of {@code entity_type} in entries
 */
public record EntityType(String displayName, String value) {

  public static final EntityType APPLICATION = new EntityType("Application", "application");
  public static final EntityType LOG = new EntityType("Log", "log");
  public static final EntityType PROXY = new EntityType("Proxy", "proxy");
  public static final EntityType TENANT = new EntityType("Tenant", "tenant");

  private static final List<EntityType> ALL =
      Stream.concat(
              Stream.of(APPLICATION, LOG, PROXY, TENANT),
              Stream.of(TokenType.values()).map(EntityType::of))
          .sorted(Comparator.comparing(EntityType::displayName))
          .toList();

  public static EntityType of(TokenType type) {
    return new EntityType(type.displayName(), type.value());
  }

  /** Returns every entity type, ordered by display name. */
  public static List<EntityType> all() {
    return ALL;
  }
}
