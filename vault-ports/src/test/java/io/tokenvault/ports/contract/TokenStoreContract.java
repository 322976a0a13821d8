package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.NewToken;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TokenFilter;
import io.tokenvault.ports.spi.TokenStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The laws of {@link TokenStore}. */
public abstract class TokenStoreContract extends StoreContract {

  private static final TokenFilter ALL =
      new TokenFilter(Set.of(), Set.of(), Optional.empty(), Map.of());
  private static final int RANDOM_TOKENS = 300;
  private static final int RANDOM_SCOPES = 200;

  private TokenStore tokens() {
    return stores.tokens();
  }

  private Optional<Token> create(NewToken token) {
    return tokens().create(token, Samples.entry(token.tenantId(), "token made"), Samples::expiry);
  }

  private Page<StoredToken> list(TenantId tenantId, TokenFilter filter) {
    return tokens().list(tenantId, filter, TokenScope.everything(), FIRST_PAGE);
  }

  private Optional<StoredToken> find(TenantId tenantId, TokenId id) {
    return list(tenantId, byIds(id)).items().stream().findFirst();
  }

  private static TokenFilter byIds(TokenId... ids) {
    return new TokenFilter(Set.of(ids), Set.of(), Optional.empty(), Map.of());
  }

  private boolean delete(TenantId tenantId, Token token) {
    return delete(tenantId, token.id(), token.version());
  }

  private boolean delete(TenantId tenantId, TokenId id, long version) {
    return tokens().delete(tenantId, id, version, Samples.entry(tenantId, "deleted"));
  }

  @Test
  void whatIsCreatedIsFoundAsItWasMade() {
    TokenSettings settings =
        new TokenSettings(
            List.of(new Container("/pci/high/"), new Container("/")),
            Map.of("a", "b", "\uD83D\uDD10", "\"\\'%_", "empty", ""),
            Optional.of(now().plusSeconds(3600).plusNanos(1000)));
    NewToken wanted = Samples.token(tenant, "id-of_a.token~\uD83D\uDD10:1", settings);
    Instant before = now();

    Token created = create(wanted).orElseThrow();

    assertThat(find(tenant, wanted.id())).contains(new StoredToken(created, wanted.data()));
    assertThat(created.id()).isEqualTo(wanted.id());
    assertThat(created.tenantId()).isEqualTo(tenant);
    assertThat(created.type()).isEqualTo(wanted.type());
    assertThat(created.settings()).isEqualTo(settings);
    assertThat(created.provenance().createdBy()).contains(wanted.createdBy());
    assertThat(created.provenance().createdAt()).isBetween(before, now());
    assertThat(created.provenance().modifiedBy()).isEmpty();
    assertThat(created.provenance().modifiedAt()).isEmpty();
  }

  @Test
  void theSmallestAndTheLargestValuesSurvive() {
    assertSurvives(Samples.tokenSettings("/"), new Sealed(1, new byte[0]));
    assertSurvives(largest(), randomBytes((1 << 20) + 64));
  }

  private void assertSurvives(TokenSettings settings, Sealed data) {
    NewToken wanted =
        new NewToken(TokenId.random(), tenant, TokenType.CARD, settings, data, UUID.randomUUID());

    Token created = create(wanted).orElseThrow();

    assertThat(created.settings()).isEqualTo(settings);
    assertThat(find(tenant, wanted.id())).contains(new StoredToken(created, data));
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
  void everyTypeSurvives() {
    for (TokenType type : TokenType.values()) {
      NewToken wanted =
          new NewToken(
              TokenId.random(),
              tenant,
              type,
              Samples.tokenSettings("/"),
              Samples.sealed("x"),
              UUID.randomUUID());
      assertThat(create(wanted).orElseThrow().type()).isEqualTo(type);
    }
  }

  @Test
  void anIdIsTakenOnceInATenant() {
    NewToken token = Samples.token(tenant, "taken", Samples.tokenSettings("/a/"));
    create(token);
    NewToken second = Samples.token(tenant, "taken", Samples.tokenSettings("/b/"));

    assertThat(create(second)).isEmpty();

    assertThat(find(tenant, token.id()).orElseThrow().token().settings())
        .isEqualTo(token.settings());
    assertThat(messages(tenant)).containsExactly("token made", "tenant made");
    assertThat(create(Samples.token(otherTenant, "taken", Samples.tokenSettings("/")))).isPresent();
  }

  @Test
  void idsDifferInCase() {
    create(Samples.token(tenant, "token", Samples.tokenSettings("/")));

    assertThat(create(Samples.token(tenant, "TOKEN", Samples.tokenSettings("/")))).isPresent();
  }

  @Test
  void ofThoseThatWantAnIdAtOnceOneGetsIt() {
    List<Optional<Token>> results =
        Race.run(i -> create(Samples.token(tenant, "wanted", Samples.tokenSettings("/"))));

    assertThat(results).filteredOn(Optional::isPresent).hasSize(1);
    assertThat(messages(tenant)).filteredOn("token made"::equals).hasSize(1);
  }

  @Test
  void anotherTenantNeitherSeesNorDeletesIt() {
    Token token = createToken(Samples.token(tenant));

    assertThat(find(otherTenant, token.id())).isEmpty();
    assertThat(list(otherTenant, ALL).totalItems()).isZero();
    assertThat(delete(otherTenant, token)).isFalse();
    assertThat(find(tenant, token.id())).isPresent();
  }

  @Test
  void aDeletedTokenIsGone() {
    Token token = createToken(Samples.token(tenant));

    assertThat(delete(tenant, token)).isTrue();

    assertThat(find(tenant, token.id())).isEmpty();
    assertThat(delete(tenant, token)).isFalse();
    assertThat(messages(tenant)).containsExactly("deleted", "token made", "tenant made");
  }

  @Test
  void aTokenOfAnotherVersionIsNotDeleted() {
    Token token = createToken(Samples.token(tenant));

    assertThat(delete(tenant, token.id(), token.version() + 1)).isFalse();
    assertThat(delete(tenant, new TokenId("nothing"), token.version())).isFalse();

    assertThat(find(tenant, token.id())).isPresent();
    assertThat(messages(tenant)).doesNotContain("deleted");
  }

  @Test
  void ofConcurrentDeletionsOneDeletes() {
    Token token = createToken(Samples.token(tenant));

    assertThat(Race.run(i -> delete(tenant, token))).filteredOn(deleted -> deleted).hasSize(1);
  }

  @Test
  void noTokenSharesAVersionWithAnEarlierOneOfItsId() {
    Token first = createToken(Samples.token(tenant, "again", Samples.tokenSettings("/")));
    delete(tenant, first);

    Token second = createToken(Samples.token(tenant, "again", Samples.tokenSettings("/")));

    assertThat(second.version()).isNotEqualTo(first.version());
    assertThat(delete(tenant, first)).isFalse();
  }

  @Test
  void listsAreNewestFirstAndPagesDoNotOverlap() {
    List<Token> created = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      created.add(0, createToken(Samples.token(tenant)));
    }

    for (int page = 1; page <= 4; page++) {
      Page<StoredToken> found =
          tokens().list(tenant, ALL, TokenScope.everything(), new PageRequest(page, 2));
      assertThat(found.items().stream().map(StoredToken::token).toList())
          .isEqualTo(created.subList(Math.min(5, 2 * (page - 1)), Math.min(5, 2 * page)));
      assertThat(found.totalItems()).isEqualTo(5);
    }
  }

  @Test
  void filtersRestrictTogether() {
    TokenSettings settings =
        new TokenSettings(
            List.of(new Container("/pci/high/"), new Container("/other/")),
            Map.of("env", "test", "n", "1"),
            Optional.empty());
    Token token = createToken(Samples.token(tenant, "token-1", settings));
    createToken(Samples.token(tenant, "token-2", Samples.tokenSettings("/pci2/")));

    assertFinds(token, Set.of(TokenType.TOKEN), "/pci/", Map.of("env", "test"));
    assertFinds(token, Set.of(TokenType.TOKEN, TokenType.BANK), "/other/", Map.of());
    assertFinds(token, Set.of(), "/pci/high/", Map.of("env", "test", "n", "1"));
    assertThat(found(Set.of(TokenType.CARD), "/pci/", Map.of())).isEmpty();
    assertThat(found(Set.of(), "/pci/high/more/", Map.of())).isEmpty();
    assertThat(found(Set.of(), "/pci/", Map.of("env", "tes"))).isEmpty();
    assertThat(found(Set.of(), "/pci/", Map.of("env", "test", "n", "2"))).isEmpty();
    assertThat(found(Set.of(), "/", Map.of("e\0v", "test"))).isEmpty();
    assertThat(found(Set.of(), "/", Map.of())).hasSize(2);
  }

  private void assertFinds(
      Token token, Set<TokenType> types, String container, Map<String, String> metadata) {
    assertThat(found(types, container, metadata)).containsExactly(token);
  }

  private List<Token> found(Set<TokenType> types, String container, Map<String, String> metadata) {
    TokenFilter filter =
        new TokenFilter(Set.of(), types, Optional.of(new Container(container)), metadata);
    return list(tenant, filter).items().stream().map(StoredToken::token).toList();
  }

  @Test
  void whatIsOutOfScopeIsNeitherListedNorCounted() {
    createToken(Samples.token(tenant));

    Page<StoredToken> page = tokens().list(tenant, ALL, TokenScope.nothing(), FIRST_PAGE);

    assertThat(page.items()).isEmpty();
    assertThat(page.totalItems()).isZero();
  }

  @Test
  void scopesHoldWhatTheDomainSaysTheyHold() {
    long seed = System.nanoTime();
    RandomScopes random = new RandomScopes(new Random(seed));
    List<Token> all = new ArrayList<>();
    for (int i = 0; i < RANDOM_TOKENS; i++) {
      all.add(createToken(Samples.token(tenant, i + random.text(), random.settings())));
    }

    for (int i = 0; i < RANDOM_SCOPES; i++) {
      TokenScope scope = random.scope();
      Page<StoredToken> page = tokens().list(tenant, ALL, scope, new PageRequest(1, RANDOM_TOKENS));
      List<TokenId> expected =
          all.stream().filter(token -> scope.contains(token.traits())).map(Token::id).toList();
      assertThat(page.items().stream().map(stored -> stored.token().id()))
          .as("%s with seed %s", scope, seed)
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(page.totalItems()).isEqualTo(expected.size());
    }
  }

  @Test
  void fromItsExpiryOnATokenIsGoneAndItsIdFree() {
    Instant expiresAt = soon();
    Token token = createToken(Samples.expiringToken(tenant, "mortal", expiresAt));
    assertThat(find(tenant, token.id())).isPresent();

    waitUntil(expiresAt);

    assertThat(find(tenant, token.id())).isEmpty();
    assertThat(list(tenant, ALL).totalItems()).isZero();
    assertThat(delete(tenant, token)).isFalse();
    NewToken next = Samples.token(tenant, "mortal", Samples.tokenSettings("/next/"));
    Token second = createToken(next);
    assertThat(find(tenant, token.id())).contains(new StoredToken(second, next.data()));
    assertThat(second.version()).isNotEqualTo(token.version());
    assertThat(second.provenance().createdBy()).contains(next.createdBy());
    assertThat(sweep(100)).isZero();
    assertThat(messages(tenant)).startsWith("token made", "expired mortal", "token made");
  }

  @Test
  void ofThoseThatWantTheIdOfAnExpiredTokenOneGetsIt() {
    createToken(Samples.expiringToken(tenant, "mortal", now()));

    List<Optional<Token>> results =
        Race.run(i -> create(Samples.token(tenant, "mortal", Samples.tokenSettings("/"))));

    assertThat(results).filteredOn(Optional::isPresent).hasSize(1);
    assertThat(messages(tenant)).containsOnlyOnce("expired mortal");
  }

  @Test
  void sweepsDeleteWhatHasExpiredWithAnEntryForEach() {
    createToken(Samples.expiringToken(tenant, "gone", now()));
    createToken(Samples.expiringToken(otherTenant, "also-gone", now()));
    Token lasting = createToken(Samples.expiringToken(tenant, "lasts", now().plusSeconds(60)));

    assertThat(sweep(100)).isEqualTo(2);

    assertThat(sweep(100)).isZero();
    assertThat(find(tenant, lasting.id())).isPresent();
    assertThat(messages(tenant)).contains("expired gone").doesNotContain("expired also-gone");
    assertThat(messages(otherTenant)).contains("expired also-gone");
  }

  private int sweep(int limit) {
    return tokens().deleteExpired(limit, Samples::expiry);
  }

  @Test
  void concurrentSweepsDeleteEachOnce() {
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
  void withoutItsEntryNothingIsChanged() {
    Token known = createToken(Samples.token(tenant));
    NewToken refused = Samples.token(tenant);
    fixture.refuseEntries();

    assertUnavailable(() -> create(refused));
    assertUnavailable(() -> delete(tenant, known));

    assertThat(find(tenant, refused.id())).isEmpty();
    assertThat(find(tenant, known.id())).isPresent();
  }

  @Test
  void aBrokenConnectionIsUnavailableAndTellsNoArgument() {
    NewToken token =
        new NewToken(
            new TokenId(MARKER),
            tenant,
            TokenType.TOKEN,
            Samples.tokenSettings("/" + MARKER + "/"),
            marked(),
            UUID.randomUUID());
    fixture.breakConnection();

    assertUnavailable(() -> create(token));
    assertUnavailable(() -> find(tenant, token.id()));
    assertUnavailable(() -> delete(tenant, token.id(), 1));
    assertUnavailable(() -> sweep(1));
  }
}
