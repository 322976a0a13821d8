package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.NewToken.Deduplication;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** Creates tokens with a marker in every value that is derived from their data. */
public final class MarkedTokens {

  private MarkedTokens() {}

  public static NewToken token(TenantId tenant, String id, String marker) {
    return token(tenant, id, marker, Optional.empty());
  }

  /** Returns a token for which a usable token with the same marker is returned instead. */
  public static NewToken deduplicated(
      TenantId tenant, String id, String marker, Predicate<Token> usable) {
    Deduplication deduplication =
        new Deduplication(
            Set.of("fingerprint " + marker), usable, token -> Samples.entry(tenant, "returned"));
    return token(tenant, id, marker, Optional.of(deduplication));
  }

  private static NewToken token(
      TenantId tenant, String id, String marker, Optional<Deduplication> deduplication) {
    return new NewToken(
        new TokenId(id),
        tenant,
        TokenType.TOKEN,
        settings(Map.of("key " + marker, "value " + marker)),
        content(marker, Duration.ofHours(1)),
        UUID.randomUUID(),
        Samples.entry(tenant, "stored"),
        deduplication);
  }

  public static TokenSettings settings(Map<String, String> metadata) {
    return new TokenSettings(List.of(new Container("/general/")), metadata, Optional.empty());
  }

  public static EncryptedContent content(String marker, Duration lifetime) {
    return new EncryptedContent(
        bytes("data " + marker),
        Optional.of(new ShortLived(bytes("short-lived " + marker), lifetime)),
        Optional.of(bytes("expressions " + marker)),
        new TokenHash(1, "fingerprint " + marker),
        List.of(new TokenHash(1, "index " + marker)));
  }

  private static EncryptedValue bytes(String text) {
    return new EncryptedValue(1, text.getBytes(StandardCharsets.UTF_8));
  }
}
