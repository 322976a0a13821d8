package io.tokenvault.ports.contract.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.contract.StoreContract;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.Creation.IdTaken;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link TokenStore}. */
public abstract class TokenStoreContract extends StoreContract {

  private static final TokenQuery ALL = TokenQuery.everything();
  private static final int RANDOM_TOKENS = IS_FULL ? 300 : 50;
  private static final int RANDOM_SCOPES = IS_FULL ? 200 : 30;

  private TokenStore tokens() {
    return stores.tokens();
  }

  private Optional<Token> create(NewToken token) {
    return store(token).map(outcome -> outcome.token().token());
  }

  private Optional<StoredToken> find(TenantId tenantId, TokenId id) {
    return listTokens(tenantId, new TokenQuery.IdIn(Set.of(id))).items().stream().findFirst();
  }

  private static StoredToken stored(Token token, EncryptedContent content) {
    return new StoredToken(
        token,
        content.data(),
        content.shortLived().map(EncryptedContent.ShortLived::encrypted),
        content.expressions());
  }

  @Test
  void pageReservesSizeOfItsTokens() {
    List<StoredToken> stored = new ArrayList<>();
    for (int length : List.of(10, 1000, 1 << 20, 100_000, 300_000)) {
      createToken(
          Samples.token(
              tenant,
              Samples.content(new EncryptedValue(1, new byte[length]), Samples.fingerprint())));
    }
    createToken(Samples.token(tenant, Samples.withPart("a part", Duration.ofHours(1))));
    for (PageRequest request :
        List.of(FIRST_PAGE, new PageRequest(1, 2), new PageRequest(2, 3), new PageRequest(9, 9))) {
      AtomicLong reserved = new AtomicLong();

      Page<StoredToken> page =
          tokens().list(tenant, ALL, TokenScope.everything(), request, reserved::addAndGet);

      long size = page.items().stream().mapToLong(StoredToken::size).sum();
      assertReservationFits(reserved.get(), size, page.items().size());
      assertThat(page.totalItems()).isEqualTo(6);
      if (request.equals(FIRST_PAGE)) {
        stored.addAll(page.items());
      }
    }
    assertThat(stored.stream().map(each -> each.data().size()))
        .containsAll(List.of(10, 1000, 1 << 20, 100_000, 300_000));
  }

  @Test
  void failedReservationReturnsNoPage() {
    createToken(Samples.token(tenant));

    assertReservesMemory(
        reservation ->
            tokens().list(tenant, ALL, TokenScope.everything(), FIRST_PAGE, reservation));

    assertThat(listTokens(tenant, ALL).items()).hasSize(1);
  }

  @Test
  void createdResourceIsFoundUnchanged() {
    TokenSettings settings =
        new TokenSettings(
            List.of(new Container("/pci/high/"), new Container("/")),
            Map.of("a", "b", "\uD83D\uDD10", "\"\\'%_", "empty", ""),
            Optional.of(now().plusSeconds(3600).plusNanos(1000)));
    EncryptedContent content =
        new EncryptedContent(
            Samples.encrypted("data"),
            Optional.of(
                new EncryptedContent.ShortLived(Samples.encrypted("a part"), Duration.ofHours(1))),
            Optional.of(Samples.encrypted("expressions")),
            Samples.fingerprint(),
            List.of(Samples.tokenHash("one"), Samples.tokenHash("two")));
    NewToken newToken = Samples.token(tenant, "id-of_a.token~\uD83D\uDD10:1", settings, content);
    Instant before = now();

    Token created = create(newToken).orElseThrow();

    assertThat(find(tenant, newToken.id())).contains(stored(created, newToken.content()));
    assertThat(created.id()).isEqualTo(newToken.id());
    assertThat(created.tenantId()).isEqualTo(tenant);
    assertThat(created.type()).isEqualTo(newToken.type());
    assertThat(created.settings()).isEqualTo(settings);
    assertThat(created.fingerprint()).contains(content.fingerprint().hex());
    assertThat(created.provenance().createdBy()).contains(newToken.createdBy());
    assertThat(created.provenance().createdAt()).isBetween(before, now());
    assertThat(created.provenance().modifiedBy()).isEmpty();
    assertThat(created.provenance().modifiedAt()).isEmpty();
  }

  @Test
  void smallestAndLargestValuesRoundTrip() {
    assertRoundTrips(Samples.tokenSettings("/"), new EncryptedValue(1, new byte[0]));
    assertRoundTrips(largest(), randomBytes((1 << 20) + 64));
  }

  private void assertRoundTrips(TokenSettings settings, EncryptedValue data) {
    EncryptedContent content = Samples.content(data, Samples.fingerprint());
    NewToken newToken = Samples.token(tenant, UUID.randomUUID().toString(), settings, content);

    Token created = create(newToken).orElseThrow();

    assertThat(created.settings()).isEqualTo(settings);
    assertThat(find(tenant, newToken.id())).contains(stored(created, content));
  }

  private static TokenSettings largest() {
    Map<String, String> metadata = new HashMap<>();
    IntStream.range(0, 50)
        .forEach(i -> metadata.put(i + "k".repeat(98), "\uD83D\uDD10".repeat(500)));
    List<Container> containers =
        IntStream.range(10, 30)
            .mapToObj(i -> new Container("/" + i + "x".repeat(196) + "/"))
            .toList();
    return new TokenSettings(containers, metadata, Optional.empty());
  }

  @Test
  void everyTypeRoundTrips() {
    for (TokenType type : TokenType.values()) {
      NewToken newToken =
          Samples.token(
              tenant, type, type.value(), Samples.tokenSettings("/"), Samples.content("x"));
      assertThat(create(newToken).orElseThrow().type()).isEqualTo(type);
    }
  }

  @Test
  void idIsUniqueWithinTenant() {
    NewToken token = Samples.token(tenant, "taken", Samples.tokenSettings("/a/"));
    create(token);
    NewToken second = Samples.token(tenant, "taken", Samples.tokenSettings("/b/"));

    assertThat(create(second)).isEmpty();

    assertThat(find(tenant, token.id()).orElseThrow().token().settings())
        .isEqualTo(token.settings());
    assertThat(messages(tenant)).containsExactly("token created", "tenant created");
    assertThat(create(Samples.token(otherTenant, "taken", Samples.tokenSettings("/")))).isPresent();
  }

  private Creation createAll(NewToken... newTokens) {
    return tokens().create(List.of(newTokens), Samples::expiry);
  }

  @Test
  void tokensAreStoredInRequestOrder() {
    NewToken first = Samples.token(tenant);
    NewToken second = Samples.token(tenant);

    List<Outcome> outcomes = ((Done) createAll(first, second)).outcomes();

    assertThat(outcomes).allMatch(Outcome::isNew);
    assertThat(outcomes)
        .extracting(outcome -> outcome.token().token().id())
        .containsExactly(first.id(), second.id());
    assertThat(outcomes.get(0).token()).isEqualTo(find(tenant, first.id()).orElseThrow());
    assertThat(outcomes.get(1).token()).isEqualTo(find(tenant, second.id()).orElseThrow());
    assertThat(messages(tenant))
        .containsExactly("token created", "token created", "tenant created");
  }

  @Test
  void duplicateIdPreventsStoringAnyToken() {
    create(Samples.token(tenant, "taken", Samples.tokenSettings("/")));
    NewToken newToken = Samples.token(tenant);

    assertThat(
            createAll(
                newToken,
                Samples.token(tenant),
                Samples.token(tenant, "taken", Samples.tokenSettings("/"))))
        .isEqualTo(new IdTaken(2));

    assertThat(find(tenant, newToken.id())).isEmpty();
    assertThat(listTokens(tenant, ALL).totalItems()).isEqualTo(1);
    assertThat(messages(tenant)).containsExactly("token created", "tenant created");
  }

  @Test
  void repeatedIdIsReportedAtSecondUse() {
    NewToken twice = Samples.token(tenant, "twice", Samples.tokenSettings("/"));

    assertThat(createAll(Samples.token(tenant), twice, twice)).isEqualTo(new IdTaken(2));

    assertThat(listTokens(tenant, ALL).totalItems()).isZero();
  }

  @Test
  void idsOfExpiredTokensAreReusableInBatch() {
    createToken(Samples.expiringToken(tenant, "old-1", now()));
    createToken(Samples.expiringToken(tenant, "old-2", now()));
    create(Samples.token(tenant, "taken", Samples.tokenSettings("/")));
    NewToken one = Samples.token(tenant, "old-1", Samples.tokenSettings("/"));
    NewToken two = Samples.token(tenant, "old-2", Samples.tokenSettings("/"));
    NewToken taken = Samples.token(tenant, "taken", Samples.tokenSettings("/"));

    assertThat(createAll(one, two, taken)).isEqualTo(new IdTaken(2));
    assertThat(messages(tenant)).noneMatch(message -> message.startsWith("expired"));
    assertThat(createAll(one, two)).isInstanceOf(Done.class);

    assertThat(messages(tenant)).contains("expired old-1", "expired old-2");
    assertThat(listTokens(tenant, ALL).totalItems()).isEqualTo(3);
  }

  @Test
  void batchesWithReversedIdsDoNotDeadlock() {
    List<Creation> results =
        Race.run(
            i -> {
              NewToken one = Samples.token(tenant, "one", Samples.tokenSettings("/"));
              NewToken two = Samples.token(tenant, "two", Samples.tokenSettings("/"));
              return i % 2 == 0 ? createAll(one, two) : createAll(two, one);
            });

    assertThat(results).filteredOn(Done.class::isInstance).hasSize(1);
    assertThat(listTokens(tenant, ALL).totalItems()).isEqualTo(2);
  }

  @Test
  void largeBatchIsStored() {
    NewToken[] many =
        IntStream.range(0, 100)
            .mapToObj(i -> Samples.token(tenant, Samples.indexed("x", Samples.tokenHash("" + i))))
            .toArray(NewToken[]::new);

    assertThat(((Done) createAll(many)).outcomes()).hasSize(100);

    assertThat(listTokens(tenant, ALL).totalItems()).isEqualTo(100);
  }

  @Test
  void idsAreCaseSensitive() {
    create(Samples.token(tenant, "token", Samples.tokenSettings("/")));

    assertThat(create(Samples.token(tenant, "TOKEN", Samples.tokenSettings("/")))).isPresent();
  }

  @Test
  void oneConcurrentCreationPerIdSucceeds() {
    List<Optional<Token>> results =
        Race.run(i -> create(Samples.token(tenant, "contested", Samples.tokenSettings("/"))));

    assertThat(results).filteredOn(Optional::isPresent).hasSize(1);
    assertThat(messages(tenant)).filteredOn("token created"::equals).hasSize(1);
  }

  @Test
  void tokenOfAnotherTenantIsNeitherFoundNorDeleted() {
    Token token = createToken(Samples.token(tenant));

    assertThat(find(otherTenant, token.id())).isEmpty();
    assertThat(listTokens(otherTenant, ALL).totalItems()).isZero();
    assertThat(deleteToken(otherTenant, token.id(), token.version())).isFalse();
    assertThat(find(tenant, token.id())).isPresent();
  }

  @Test
  void deletionRemovesToken() {
    Token token = createToken(Samples.token(tenant));

    assertThat(deleteToken(token)).isTrue();

    assertThat(find(tenant, token.id())).isEmpty();
    assertThat(deleteToken(token)).isFalse();
    assertThat(messages(tenant)).containsExactly("deleted", "token created", "tenant created");
  }

  @Test
  void tokenAtAnotherVersionIsNotDeleted() {
    Token token = createToken(Samples.token(tenant));

    assertThat(deleteToken(tenant, token.id(), token.version() + 1)).isFalse();
    assertThat(deleteToken(tenant, new TokenId("missing"), token.version())).isFalse();

    assertThat(find(tenant, token.id())).isPresent();
    assertThat(messages(tenant)).doesNotContain("deleted");
  }

  @Test
  void oneConcurrentDeletionSucceeds() {
    Token token = createToken(Samples.token(tenant));

    assertThat(Race.run(i -> deleteToken(token))).filteredOn(deleted -> deleted).hasSize(1);
  }

  @Test
  void tokenReusingIdHasNewVersion() {
    Token first = createToken(Samples.token(tenant, "again", Samples.tokenSettings("/")));
    deleteToken(first);

    Token second = createToken(Samples.token(tenant, "again", Samples.tokenSettings("/")));

    assertThat(second.version()).isNotEqualTo(first.version());
    assertThat(deleteToken(first)).isFalse();
  }

  @Test
  void listsAreNewestFirstAndPagesDoNotOverlap() {
    List<Token> created = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      created.add(0, createToken(Samples.token(tenant)));
    }

    for (int page = 1; page <= 4; page++) {
      Page<StoredToken> found =
          listTokens(tenant, ALL, TokenScope.everything(), new PageRequest(page, 2));
      assertThat(found.items().stream().map(StoredToken::token).toList())
          .isEqualTo(created.subList(Math.min(5, 2 * (page - 1)), Math.min(5, 2 * page)));
      assertThat(found.totalItems()).isEqualTo(5);
    }
  }

  @Test
  void outOfScopeTokenIsNeitherListedNorCounted() {
    createToken(Samples.token(tenant));

    Page<StoredToken> page = listTokens(tenant, ALL, TokenScope.nothing(), FIRST_PAGE);

    assertThat(page.items()).isEmpty();
    assertThat(page.totalItems()).isZero();
  }

  @Test
  void scopesMatchDomainSemantics() {
    long seed = System.nanoTime();
    RandomScopes random = new RandomScopes(new Random(seed));
    List<Token> all = new ArrayList<>();
    for (int i = 0; i < RANDOM_TOKENS; i++) {
      all.add(createToken(Samples.token(tenant, i + random.text(), random.settings())));
    }

    for (int i = 0; i < RANDOM_SCOPES; i++) {
      TokenScope scope = random.scope();
      Page<StoredToken> page = listTokens(tenant, ALL, scope, new PageRequest(1, RANDOM_TOKENS));
      List<TokenId> expected =
          all.stream().filter(token -> scope.contains(token.traits())).map(Token::id).toList();
      assertThat(page.items().stream().map(stored -> stored.token().id()))
          .as("%s with seed %s", scope, seed)
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(page.totalItems()).isEqualTo(expected.size());
    }
  }

  @Test
  void expiredTokenIsNotFoundAndItsIdIsReusable() {
    Instant expiresAt = soon();
    Token token = createToken(Samples.expiringToken(tenant, "temporary", expiresAt));
    Token unexpired = createToken(Samples.expiringToken(otherTenant, "temporary", farFuture()));

    waitUntil(expiresAt);

    assertThat(find(otherTenant, unexpired.id())).isPresent();
    assertThat(find(tenant, token.id())).isEmpty();
    assertThat(listTokens(tenant, ALL).totalItems()).isZero();
    assertThat(deleteToken(token)).isFalse();
    NewToken next = Samples.token(tenant, "temporary", Samples.tokenSettings("/next/"));
    Token second = createToken(next);
    assertThat(find(tenant, token.id())).contains(stored(second, next.content()));
    assertThat(second.version()).isNotEqualTo(token.version());
    assertThat(second.provenance().createdBy()).contains(next.createdBy());
    assertThat(sweep(100)).isZero();
    assertThat(messages(tenant)).startsWith("token created", "expired temporary", "token created");
  }

  @Test
  void oneConcurrentReuseOfExpiredIdSucceeds() {
    createToken(Samples.expiringToken(tenant, "temporary", now()));

    List<Optional<Token>> results =
        Race.run(i -> create(Samples.token(tenant, "temporary", Samples.tokenSettings("/"))));

    assertThat(results).filteredOn(Optional::isPresent).hasSize(1);
    assertThat(messages(tenant)).containsOnlyOnce("expired temporary");
  }

  @Test
  void sweepDeletesExpiredTokensAndRecordsEntryForEach() {
    createToken(Samples.expiringToken(tenant, "old-1", now()));
    createToken(Samples.expiringToken(otherTenant, "old-2", now()));
    Token unexpired =
        createToken(Samples.expiringToken(tenant, "unexpired", now().plusSeconds(60)));

    assertThat(sweep(100)).isEqualTo(2);

    assertThat(sweep(100)).isZero();
    assertThat(find(tenant, unexpired.id())).isPresent();
    assertThat(messages(tenant)).contains("expired old-1").doesNotContain("expired old-2");
    assertThat(messages(otherTenant)).contains("expired old-2");
  }

  private int sweep(int limit) {
    return tokens().deleteExpired(limit, Samples::expiry);
  }

  @Test
  void concurrentSweepsDeleteEachTokenOnce() {
    for (int i = 0; i < 40; i++) {
      createToken(Samples.expiringToken(tenant, "token-" + i, now()));
    }

    int deleted = Race.run(i -> sweep(5)).stream().mapToInt(each -> each).sum() + sweep(100);

    assertThat(deleted).isEqualTo(40);
    assertThat(messages(tenant))
        .filteredOn(message -> message.startsWith("expired"))
        .hasSize(40)
        .doesNotHaveDuplicates();
  }

  @Test
  void failedAuditEntryRollsBackChange() {
    Token existing = createToken(Samples.token(tenant));
    NewToken rejected = Samples.token(tenant);
    fixture.refuseEntries();

    assertUnavailable(() -> create(rejected));
    assertUnavailable(() -> createAll(Samples.token(tenant), rejected));
    assertUnavailable(() -> deleteToken(existing));

    assertThat(find(tenant, rejected.id())).isEmpty();
    assertThat(find(tenant, existing.id())).isPresent();
    assertThat(listTokens(tenant, ALL).totalItems()).isEqualTo(1);
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    NewToken token =
        Samples.token(
            tenant,
            MARKER,
            Samples.tokenSettings("/" + MARKER + "/"),
            Samples.content(marked(), Samples.tokenHash(MARKER)));
    fixture.breakConnection();

    assertUnavailable(() -> create(token));
    assertUnavailable(() -> find(tenant, token.id()));
    assertUnavailable(() -> deleteToken(tenant, token.id(), 1));
    assertUnavailable(() -> sweep(1));
  }
}
