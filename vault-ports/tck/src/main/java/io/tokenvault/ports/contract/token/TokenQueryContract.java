package io.tokenvault.ports.contract.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenQuery.AllOf;
import io.tokenvault.domain.token.TokenQuery.AnyOf;
import io.tokenvault.domain.token.TokenQuery.ContainerStartsWith;
import io.tokenvault.domain.token.TokenQuery.CreatedBefore;
import io.tokenvault.domain.token.TokenQuery.CreatedBy;
import io.tokenvault.domain.token.TokenQuery.CreatedFrom;
import io.tokenvault.domain.token.TokenQuery.FingerprintIs;
import io.tokenvault.domain.token.TokenQuery.IdIn;
import io.tokenvault.domain.token.TokenQuery.InContainer;
import io.tokenvault.domain.token.TokenQuery.IndexIn;
import io.tokenvault.domain.token.TokenQuery.MetadataIs;
import io.tokenvault.domain.token.TokenQuery.Not;
import io.tokenvault.domain.token.TokenQuery.TypeIn;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.contract.StoreContract;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract tests for queries in {@link TokenStore}, which must match the domain semantics. */
public abstract class TokenQueryContract extends StoreContract {

  private static final TokenHash INDEX = Samples.tokenHash("an index");
  private static final TokenHash OTHER_INDEX = Samples.tokenHash(2, "another index");
  private static final int RANDOM_TOKENS = IS_FULL ? 150 : 60;
  private static final int RANDOM_QUERIES = IS_FULL ? 300 : 60;

  private Token card;
  private Token other;

  @BeforeEach
  void createTwoTokens() {
    NewToken newToken =
        Samples.token(
            tenant,
            TokenType.CARD,
            "card_1",
            new TokenSettings(
                List.of(new Container("/pci/high/"), new Container("/other/")),
                Map.of("env", "test", "n", "1", "a%", "\"\\'"),
                Optional.empty()),
            Samples.indexed("data", INDEX, OTHER_INDEX));
    card = createToken(newToken);
    Instant createdAt = card.provenance().createdAt();
    poll(() -> now().isAfter(createdAt));
    other = createToken(Samples.token(tenant, "cardx1", Samples.tokenSettings("/pci2/")));
  }

  private List<Token> find(TokenQuery query) {
    Page<StoredToken> page = listTokens(tenant, query);
    assertThat(page.totalItems()).isEqualTo(page.items().size());
    return page.items().stream().map(StoredToken::token).toList();
  }

  private void assertOnlyCard(TokenQuery query) {
    assertThat(find(query)).containsExactly(card);
    assertThat(find(new Not(query))).containsExactly(other);
  }

  private void assertNone(TokenQuery query) {
    assertThat(find(query)).isEmpty();
    assertThat(find(new Not(query))).containsExactly(other, card);
  }

  @Test
  void emptyAllOfMatchesEverythingAndEmptyAnyOfNothing() {
    assertThat(find(TokenQuery.everything())).containsExactly(other, card);
    assertNone(new AnyOf(List.of()));
  }

  @Test
  void logicalOperatorsCombineQueries() {
    TokenQuery isCard = new TypeIn(Set.of(TokenType.CARD));
    TokenQuery isOther = new IdIn(Set.of(other.id()));

    assertThat(find(TokenQuery.anyOf(isCard, isOther))).containsExactly(other, card);
    assertNone(TokenQuery.allOf(isCard, isOther));
    assertOnlyCard(TokenQuery.allOf(isCard, new Not(isOther)));
    assertOnlyCard(new Not(new Not(isCard)));
    assertOnlyCard(new AllOf(List.of(new AnyOf(List.of(isCard)), new AllOf(List.of()))));
  }

  @Test
  void idMatchesExactly() {
    assertOnlyCard(new IdIn(Set.of(card.id(), new TokenId("unknown"))));
    assertNone(new IdIn(Set.of(new TokenId("CARD_1"))));
    assertNone(new IdIn(Set.of()));
  }

  @Test
  void oneMatchingTypeSuffices() {
    assertOnlyCard(new TypeIn(Set.of(TokenType.CARD, TokenType.BANK)));
    assertNone(new TypeIn(Set.of(TokenType.BANK)));
    assertNone(new TypeIn(Set.of()));
  }

  @Test
  void containerMatchesExactly() {
    assertOnlyCard(new InContainer(new Container("/pci/high/")));
    assertOnlyCard(new InContainer(new Container("/other/")));
    assertNone(new InContainer(new Container("/pci/")));
    assertNone(new InContainer(new Container("/pci/high/more/")));
  }

  @Test
  void containerPrefixMatchesLiterally() {
    assertOnlyCard(new ContainerStartsWith("/pci/"));
    assertOnlyCard(new ContainerStartsWith("/pci/hi"));
    assertOnlyCard(new ContainerStartsWith("/other/"));
    assertThat(find(new ContainerStartsWith("/pci"))).hasSize(2);
    assertThat(find(new ContainerStartsWith(""))).hasSize(2);
    assertNone(new ContainerStartsWith("/pc_"));
    assertNone(new ContainerStartsWith("%"));
    assertNone(new ContainerStartsWith("/pci\\"));
    assertNone(new ContainerStartsWith("\0"));
  }

  @Test
  void metadataMatchesExactly() {
    assertOnlyCard(new MetadataIs("env", "test"));
    assertOnlyCard(new MetadataIs("a%", "\"\\'"));
    assertNone(new MetadataIs("env", "tes"));
    assertNone(new MetadataIs("env", "TEST"));
    assertNone(new MetadataIs("n", "2"));
    assertNone(new MetadataIs("test", "env"));
    assertNone(new MetadataIs("e\0v", "test"));
    assertNone(new MetadataIs("env", "te\0st"));
  }

  @Test
  void creatorMatchesExactly() {
    assertOnlyCard(new CreatedBy(card.provenance().createdBy().orElseThrow()));
    assertNone(new CreatedBy(UUID.randomUUID()));
  }

  @Test
  void creationTimeMatchesToTheMicrosecond() {
    Instant createdAt = card.provenance().createdAt();

    assertOnlyCard(
        TokenQuery.allOf(
            new CreatedFrom(createdAt), new CreatedBefore(other.provenance().createdAt())));
    assertOnlyCard(new Not(new CreatedFrom(createdAt.plusNanos(1000))));
    assertOnlyCard(new CreatedBefore(createdAt.plusNanos(1000)));
    assertNone(new CreatedBefore(createdAt));
  }

  @Test
  void oneMatchingIndexSuffices() {
    assertOnlyCard(new IndexIn(Set.of(INDEX.hex())));
    assertOnlyCard(new IndexIn(Set.of(OTHER_INDEX.hex(), Samples.tokenHash("x").hex())));
    assertNone(new IndexIn(Set.of(Samples.tokenHash("x").hex())));
    assertNone(new IndexIn(Set.of()));
  }

  @Test
  void fingerprintMatchesExactly() {
    assertOnlyCard(new FingerprintIs(card.fingerprint().orElseThrow()));
    assertNone(new FingerprintIs("f00"));
    assertNone(new FingerprintIs("\0"));
  }

  @Test
  void outOfScopeTokenIsNotFoundByAnyQuery() {
    TokenQuery query = TokenQuery.anyOf(TokenQuery.everything(), new IdIn(Set.of(card.id())));

    Page<StoredToken> page = listTokens(tenant, query, TokenScope.nothing(), FIRST_PAGE);

    assertThat(page.items()).isEmpty();
    assertThat(page.totalItems()).isZero();
  }

  @Test
  void tokensOfAnotherTenantAreNotFoundByAnyQuery() {
    TokenQuery query = TokenQuery.anyOf(new IndexIn(Set.of(INDEX.hex())), TokenQuery.everything());

    assertThat(listTokens(otherTenant, query).totalItems()).isZero();
  }

  @Test
  void queriesMatchDomainSemantics() {
    long seed = System.nanoTime();
    RandomQueries random = new RandomQueries(new Random(seed));
    Map<Token, Set<String>> all = new HashMap<>();
    all.put(card, Set.of(INDEX.hex(), OTHER_INDEX.hex()));
    all.put(other, Set.of());
    for (int i = 0; i < RANDOM_TOKENS; i++) {
      NewToken newToken = random.token(tenant, i);
      all.put(createToken(newToken), indexes(newToken));
    }
    List<Token> tokens = List.copyOf(all.keySet());

    for (int i = 0; i < RANDOM_QUERIES; i++) {
      TokenQuery query = random.query(3, tokens);
      Page<StoredToken> page =
          listTokens(tenant, query, TokenScope.everything(), new PageRequest(1, all.size()));
      List<Token> expected =
          tokens.stream().filter(token -> query.matches(token, all.get(token))).toList();
      assertThat(page.items().stream().map(StoredToken::token))
          .as("%s with seed %s", query, seed)
          .containsExactlyInAnyOrderElementsOf(expected);
      assertThat(page.totalItems()).isEqualTo(expected.size());
    }
  }

  private static Set<String> indexes(NewToken token) {
    return token.content().searchIndexes().stream()
        .map(TokenHash::hex)
        .collect(Collectors.toUnmodifiableSet());
  }
}
