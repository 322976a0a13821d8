package io.tokenvault.ports.store.model;

import io.tokenvault.domain.token.TokenSettings;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The new state of a token.
 *
 * @param settings replaces all settings
 * @param content replaces data and everything derived from it; empty if these do not change
 * @param keepsShortLivedTime whether the short-lived part of the new content expires when the
 *     present part would have expired; a part that would have expired by now is dropped
 */
public record TokenUpdate(
    TokenSettings settings,
    Optional<EncryptedContent> content,
    boolean keepsShortLivedTime,
    UUID modifiedBy) {
  public TokenUpdate {
    Objects.requireNonNull(settings, "settings");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(modifiedBy, "modifiedBy");
  }
}
