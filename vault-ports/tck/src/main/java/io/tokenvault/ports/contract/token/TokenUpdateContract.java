package io.tokenvault.ports.contract.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.contract.StoreContract;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.EncryptedContent.ShortLived;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Contract tests for updates and for expiring parts of tokens in {@link TokenStore}. */
public abstract class TokenUpdateContract extends StoreContract {

  private static final TokenHash INDEX = Samples.tokenHash("an index");
  private static final TokenHash OTHER_INDEX = Samples.tokenHash(2, "another index");
  private static final Duration LONG = Duration.ofHours(1);

  private Optional<StoredToken> update(Token token, TokenUpdate update) {
    return updateToken(tenant, token.id(), token.version(), update);
  }

  private static TokenUpdate to(String container) {
    return to(Samples.tokenSettings(container));
  }

  private static TokenUpdate to(TokenSettings settings) {
    return new TokenUpdate(settings, Optional.empty(), false, CHANGER);
  }

  private static TokenUpdate to(EncryptedContent content) {
    return new TokenUpdate(Samples.tokenSettings("/new/"), Optional.of(content), false, CHANGER);
  }

  private List<StoredToken> list(TokenQuery query) {
    return listTokens(tenant, query).items();
  }

  private StoredToken find(Token token) {
    return list(new TokenQuery.IdIn(Set.of(token.id()))).get(0);
  }

  private List<Token> findByIndex(TokenHash index) {
    return list(new TokenQuery.IndexIn(Set.of(index.hex()))).stream()
        .map(StoredToken::token)
        .toList();
  }

  private static EncryptedContent full(String data, TokenHash index, Duration lifetime) {
    return new EncryptedContent(
        Samples.encrypted(data),
        Optional.of(new ShortLived(Samples.encrypted("part of " + data), lifetime)),
        Optional.of(Samples.encrypted("expressions of " + data)),
        Samples.fingerprint(),
        List.of(index));
  }

  @Test
  void newContentReplacesOldContent() {
    Token token = createToken(Samples.token(tenant, full("old", INDEX, LONG)));
    EncryptedContent content = full("new", OTHER_INDEX, LONG);
    Instant before = now();

    StoredToken changed = update(token, to(content)).orElseThrow();

    assertThat(changed.data()).isEqualTo(content.data());
    assertThat(changed.shortLived()).contains(Samples.encrypted("part of new"));
    assertThat(changed.expressions()).isEqualTo(content.expressions());
    assertThat(changed.token().fingerprint()).contains(content.fingerprint().hex());
    assertThat(changed.token().settings()).isEqualTo(Samples.tokenSettings("/new/"));
    assertThat(changed.token().type()).isEqualTo(token.type());
    assertChanged(token.provenance(), changed.token().provenance(), before);
    assertThat(find(token)).isEqualTo(changed);
    assertThat(findByIndex(INDEX)).isEmpty();
    assertThat(findByIndex(OTHER_INDEX)).containsExactly(changed.token());
    assertThat(messages(tenant))
        .containsExactly("shown", "changed", "token created", "tenant created");
  }

  private void assertChanged(Provenance old, Provenance changed, Instant before) {
    assertThat(changed.createdBy()).isEqualTo(old.createdBy());
    assertThat(changed.createdAt()).isEqualTo(old.createdAt());
    assertThat(changed.modifiedBy()).contains(CHANGER);
    assertThat(changed.modifiedAt().orElseThrow()).isBetween(before, now());
  }

  @Test
  void newContentCanOmitOptionalParts() {
    Token token = createToken(Samples.token(tenant, full("old", INDEX, LONG)));

    StoredToken changed = update(token, to(Samples.content("new"))).orElseThrow();

    assertThat(changed.shortLived()).isEmpty();
    assertThat(changed.expressions()).isEmpty();
    assertThat(find(token)).isEqualTo(changed);
    assertThat(findByIndex(INDEX)).isEmpty();
  }

  @Test
  void newSettingsPreserveContent() {
    NewToken newToken = Samples.token(tenant, full("data", INDEX, LONG));
    StoredToken old = storeToken(newToken);
    TokenSettings settings =
        new TokenSettings(
            List.of(new Container("/a/"), new Container("/")),
            Map.of("\uD83D\uDD10", "\"\\'%_", "empty", ""),
            Optional.of(now().plusSeconds(3600)));

    StoredToken changed = update(old.token(), to(settings)).orElseThrow();

    assertThat(changed.token().settings()).isEqualTo(settings);
    assertThat(changed.token().fingerprint()).isEqualTo(old.token().fingerprint());
    assertThat(changed.data()).isEqualTo(old.data());
    assertThat(changed.shortLived()).isEqualTo(old.shortLived());
    assertThat(changed.expressions()).isEqualTo(old.expressions());
    assertThat(find(old.token())).isEqualTo(changed);
    assertThat(findByIndex(INDEX)).containsExactly(changed.token());
  }

  @Test
  void everyChangeAssignsNewVersion() {
    Token first = createToken(Samples.token(tenant));

    Token second = update(first, to("/a/")).orElseThrow().token();
    Token third = update(second, to("/b/")).orElseThrow().token();

    assertThat(List.of(first.version(), second.version(), third.version()))
        .doesNotHaveDuplicates()
        .isSorted();
  }

  @Test
  void versionMismatchPreventsChange() {
    Token first = createToken(Samples.token(tenant));
    Token second = update(first, to("/a/")).orElseThrow().token();

    assertThat(update(first, to("/b/"))).isEmpty();
    assertThat(updateToken(tenant, second.id(), second.version() + 1, to("/b/"))).isEmpty();
    assertThat(updateToken(tenant, new TokenId("missing"), second.version(), to("/b/"))).isEmpty();

    assertThat(find(second).token()).isEqualTo(second);
    assertThat(messages(tenant)).containsOnlyOnce("changed");
  }

  @Test
  void tokenOfAnotherTenantIsNotChanged() {
    Token token = createToken(Samples.token(tenant));

    assertThat(updateToken(otherTenant, token.id(), token.version(), to("/a/"))).isEmpty();

    assertThat(find(token).token()).isEqualTo(token);
    assertThat(messages(otherTenant)).containsExactly("tenant created");
  }

  @Test
  void expiredTokenIsNotChanged() {
    Token expiring = createToken(Samples.expiringToken(tenant, "temporary", now()));

    assertThat(update(expiring, to("/a/"))).isEmpty();

    assertThat(messages(tenant)).doesNotContain("changed");
  }

  @Test
  void newExpiryReplacesOldExpiry() {
    AtomicReference<Instant> expiresAt = new AtomicReference<>();
    Token changed =
        finishInTime(
                lifetime -> {
                  expiresAt.set(now().plus(lifetime));
                  String id = "temporary-" + lifetime.toMillis();
                  return update(
                      createToken(Samples.expiringToken(tenant, id, expiresAt.get())), to("/a/"));
                })
            .token();

    waitUntil(expiresAt.get());

    assertThat(find(changed).token().settings().expiresAt()).isEmpty();
  }

  @Test
  void oneConcurrentChangePerVersionSucceeds() {
    Token token = createToken(Samples.token(tenant));
    for (int round = 0; round < 3; round++) {
      Token current = find(token).token();

      List<Optional<StoredToken>> results =
          Race.run(i -> update(current, to("/runner-" + i + "/")));

      assertThat(results).filteredOn(Optional::isPresent).hasSize(1);
      assertThat(results).contains(Optional.of(find(token)));
    }
    assertThat(messages(tenant)).filteredOn("changed"::equals).hasSize(3);
  }

  @Test
  void partIsAbsentAfterItsExpiry() {
    StoredToken stored =
        storeToken(Samples.token(tenant, Samples.withPart("a part", Duration.ofMillis(300))));
    Token token = stored.token();
    assertThat(stored.shortLived()).contains(Samples.encrypted("a part"));

    poll(() -> find(token).shortLived().isEmpty());

    assertThat(find(token).token()).isEqualTo(token);
    assertThat(find(token).data()).isEqualTo(stored.data());
    assertThat(now()).isAfterOrEqualTo(token.provenance().createdAt().plusMillis(300));
  }

  @Test
  void unchangedPartPreservesItsExpiry() {
    Token token =
        createToken(Samples.token(tenant, Samples.withPart("a part", Duration.ofMillis(100))));

    assertThat(update(token, to("/a/"))).isPresent();

    poll(() -> find(token).shortLived().isEmpty());
  }

  @Test
  void reencryptedPartCanPreserveItsExpiry() {
    TokenUpdate update =
        new TokenUpdate(
            Samples.tokenSettings("/a/"),
            Optional.of(Samples.withPart("reencrypted", LONG)),
            true,
            CHANGER);

    StoredToken changed =
        finishInTime(
            lifetime ->
                update(
                        createToken(Samples.token(tenant, Samples.withPart("a part", lifetime))),
                        update)
                    .filter(updated -> updated.shortLived().isPresent()));

    assertThat(changed.shortLived()).contains(Samples.encrypted("reencrypted"));
    poll(() -> find(changed.token()).shortLived().isEmpty());
    assertThat(update(changed.token(), update).orElseThrow().shortLived()).isEmpty();
  }

  @Test
  void newPartHasItsOwnExpiry() {
    Token token =
        createToken(Samples.token(tenant, Samples.withPart("old", Duration.ofMillis(300))));

    StoredToken changed = update(token, to(Samples.withPart("new", LONG))).orElseThrow();
    waitUntil(token.provenance().createdAt().plusMillis(300));

    assertThat(sweepParts(100)).isZero();
    assertThat(find(token)).isEqualTo(changed);
    assertThat(changed.shortLived()).contains(Samples.encrypted("new"));
  }

  private int sweepParts(int limit) {
    return stores.tokens().deleteExpiredParts(limit);
  }

  @Test
  void sweepDeletesExpiredParts() {
    for (int i = 0; i < 5; i++) {
      createToken(Samples.token(tenant, Samples.withPart("short", Duration.ofMillis(1))));
    }
    Token unexpired = createToken(Samples.token(tenant, Samples.withPart("long", LONG)));
    waitUntil(now().plusMillis(2));

    assertThat(sweepParts(3)).isEqualTo(3);
    assertThat(sweepParts(3)).isEqualTo(2);
    assertThat(sweepParts(3)).isZero();

    assertThat(list(TokenQuery.everything())).hasSize(6);
    assertThat(find(unexpired).shortLived()).isPresent();
  }

  @Test
  void sweepingPartPreservesToken() {
    Token token =
        createToken(Samples.token(tenant, Samples.withPart("short", Duration.ofMillis(1))));
    waitUntil(now().plusMillis(2));

    sweepParts(100);

    assertThat(find(token).token()).isEqualTo(token);
    assertThat(update(token, to("/a/"))).isPresent();
  }

  @Test
  void concurrentSweepsDeleteEachPartOnce() {
    for (int i = 0; i < 40; i++) {
      createToken(Samples.token(tenant, Samples.withPart("short", Duration.ofMillis(1))));
    }
    waitUntil(now().plusMillis(2));

    int swept = Race.run(i -> sweepParts(5)).stream().mapToInt(each -> each).sum();

    assertThat(swept + sweepParts(100)).isEqualTo(40);
  }

  @Test
  void deletionRemovesPartAndIndexes() {
    Token token = createToken(Samples.token(tenant, full("data", INDEX, Duration.ofMillis(1))));

    deleteToken(token);
    waitUntil(now().plusMillis(2));

    assertThat(findByIndex(INDEX)).isEmpty();
    assertThat(sweepParts(100)).isZero();
  }

  private static boolean isRejectedAsShredded(Runnable write) {
    try {
      write.run();
      return false;
    } catch (RefusedException refused) {
      return refused.failure() == FailureCause.TENANT_SHREDDED;
    }
  }

  @Test
  void shreddedTenantCannotCreateOrChangeTokens() {
    StoredToken stored = storeToken(Samples.token(tenant));
    destroyKeys(tenant);

    assertThat(isRejectedAsShredded(() -> createToken(Samples.token(tenant)))).isTrue();
    assertThat(isRejectedAsShredded(() -> update(stored.token(), to("/a/")))).isTrue();
    assertThat(isRejectedAsShredded(() -> update(stored.token(), to(Samples.content("new")))))
        .isTrue();

    assertThat(list(TokenQuery.everything())).containsExactly(stored);
    assertThat(messages(tenant)).containsExactly("destroyed", "token created", "tenant created");
    assertThat(createToken(Samples.token(otherTenant))).isNotNull();
  }

  @Test
  void concurrentShreddingPreventsLaterChanges() {
    for (int round = 0; round < 5; round++) {
      TenantId shredded = newTenant();
      Token token = createToken(Samples.token(shredded));

      Race.run(
          i ->
              switch (i % 3) {
                case 0 -> isRejectedAsShredded(() -> createToken(Samples.token(shredded)));
                case 1 ->
                    isRejectedAsShredded(
                        () -> updateToken(shredded, token.id(), token.version(), to("/a/")));
                default -> destroyKeys(shredded);
              });

      assertThat(messages(shredded).get(0)).isEqualTo("destroyed");
      assertThat(messages(shredded)).containsOnlyOnce("destroyed");
    }
  }

  @Test
  void failedAuditEntryRollsBackChange() {
    StoredToken stored = storeToken(Samples.token(tenant, full("data", INDEX, LONG)));
    fixture.refuseEntries();

    assertUnavailable(() -> update(stored.token(), to(Samples.content("new"))));

    assertThat(find(stored.token())).isEqualTo(stored);
    assertThat(findByIndex(INDEX)).hasSize(1);
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    TokenUpdate update =
        new TokenUpdate(
            Samples.tokenSettings("/" + MARKER + "/"),
            Optional.of(Samples.content(marked(), Samples.tokenHash(MARKER))),
            false,
            CHANGER);
    fixture.breakConnection();

    assertUnavailable(() -> updateToken(tenant, new TokenId(MARKER), 1, update));
    assertUnavailable(() -> sweepParts(1));
  }
}
