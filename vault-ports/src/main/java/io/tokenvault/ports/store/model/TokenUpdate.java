package io.tokenvault.ports.store.model;

import io.tokenvault.domain.token.TokenSettings;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * What a token becomes.
 *
 * @param content empty if data and all that is made of it stay
 * @param keepsShortLivedTime whether the short-lived part of the content goes when the present one
 *     would have gone, and does not live anew; if that is gone already, so is this
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
