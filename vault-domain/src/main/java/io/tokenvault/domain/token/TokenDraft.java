package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.TextMapLimits;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A new token as a client wrote it; any part may be null or wrong.
 *
 * @param id null for a generated one
 * @param containers null for the type's default
 * @param metadata null for none
 * @param expiresAt null for never
 */
public record TokenDraft(
    String id,
    String type,
    JsonValue data,
    List<String> containers,
    Map<String, String> metadata,
    Instant expiresAt) {

  public static final int MAX_CONTAINERS = 20;
  public static final int MAX_METADATA = 50;

  private static final TextMapLimits METADATA_LIMITS = new TextMapLimits(MAX_METADATA, 100, 1000);

  /**
   * Notes everything that is wrong.
   *
   * @param now by the database's clock
   */
  public void check(Instant now, Violations violations) {
    checkType(violations);
    if (id != null && TokenId.parse(id).isEmpty()) {
      violations.add("id", TokenId.SHAPE);
    }
    if (data == null || data == JsonNull.NULL) {
      violations.add("data", "is required and cannot be null");
    }
    if (containers != null) {
      checkContainers(violations);
    }
    if (metadata != null) {
      METADATA_LIMITS.check("metadata", metadata, violations);
    }
    if (expiresAt != null && !expiresAt.isAfter(now)) {
      violations.add("expires_at", "must be in the future");
    }
  }

  private void checkType(Violations violations) {
    if (type == null) {
      violations.add("type", "is required");
    } else if (TokenType.of(type).isEmpty()) {
      violations.add("type", "must be one of " + TokenType.choices());
    }
  }

  private void checkContainers(Violations violations) {
    if (containers.isEmpty() || containers.size() > MAX_CONTAINERS) {
      violations.add("containers", "must be 1 to " + MAX_CONTAINERS + ", or left out");
      return;
    }
    for (int i = 0; i < containers.size(); i++) {
      String container = containers.get(i);
      if (container == null || !Container.isValid(container)) {
        violations.add("containers[" + i + "]", Container.SHAPE);
      }
    }
  }

  /** Only for a draft that was checked. */
  public TokenId toId() {
    return id == null ? TokenId.random() : new TokenId(id);
  }

  /** Only for a draft that was checked. */
  public TokenType knownType() {
    return TokenType.of(type).orElseThrow();
  }

  /** Only for a draft that was checked. */
  public TokenSettings toSettings() {
    return new TokenSettings(
        containers == null
            ? List.of(knownType().defaultContainer())
            : containers.stream().map(Container::new).toList(),
        metadata == null ? Map.of() : metadata,
        Optional.ofNullable(expiresAt));
  }

  /** Nothing: the data is secret, and none of it is checked. */
  @Override
  public String toString() {
    return "TokenDraft[redacted]";
  }
}
