package io.tokenvault.adapters.jdbi.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.MarkedTokens;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenQuery.CreatedBefore;
import io.tokenvault.domain.token.TokenQuery.CreatedBy;
import io.tokenvault.domain.token.TokenQuery.CreatedFrom;
import io.tokenvault.domain.token.TokenQuery.FingerprintIs;
import io.tokenvault.domain.token.TokenQuery.MetadataIs;
import io.tokenvault.domain.token.TokenQuery.Not;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.model.StoredToken;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests behavior of tokens in PostgreSQL that the contract suite does not cover. */
final class JdbiTokensTest {

  private static final String MARKER = "planted5c07e1";
  private static final int CALLERS = 8;
  private static final TestDatabase DATABASE = TestDatabase.migrated();
  @AutoClose private static final JdbiStores STORES = DATABASE.stores();

  private final TokenStore tokens = STORES.tokens();
  private TenantId tenant;

  @BeforeEach
  void createTenant() {
    tenant = TestDatabase.newTenant(STORES);
  }

  private Creation create(List<NewToken> newTokens) {
    return tokens.create(newTokens, Samples::expiry);
  }

  private Token create(NewToken newToken) {
    return ((Done) create(List.of(newToken))).outcomes().get(0).token().token();
  }

  private List<StoredToken> list(TokenQuery query) {
    return tokens
        .list(
            tenant,
            query,
            TokenScope.everything(),
            new PageRequest(1, 100),
            MemoryReservation.UNBOUNDED)
        .items();
  }

  @Test
  void deletedDataRemainsInNoTable() {
    Token token = create(MarkedTokens.token(tenant, "to-erase", MARKER));
    assertThat(rowsWithMarker()).isPositive();

    tokens.delete(tenant, token.id(), token.version(), Samples.entry(tenant));

    assertThat(rowsWithMarker()).isZero();
  }

  @Test
  void replacedContentRemainsInNoTable() {
    Token token = create(MarkedTokens.token(tenant, "to-replace", MARKER));
    TokenUpdate update =
        new TokenUpdate(
            MarkedTokens.settings(Map.of()),
            Optional.of(MarkedTokens.content("other", Duration.ofHours(1))),
            false,
            UUID.randomUUID());

    tokens.update(tenant, token.id(), token.version(), update, List.of(Samples.entry(tenant)));

    assertThat(rowsWithMarker()).isZero();
  }

  private static long rowsWithMarker() {
    String hex = HexFormat.of().formatHex(MARKER.getBytes(StandardCharsets.UTF_8));
    return DATABASE.asOwner("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").stream()
        .flatMap(
            table ->
                DATABASE
                    .asOwner(
                        "SELECT 1 FROM %1$s AS row WHERE row::text LIKE '%%%2$s%%'"
                                .formatted(table, MARKER)
                            + " OR row::text LIKE '%%%s%%'".formatted(hex))
                    .stream())
        .count();
  }

  @Test
  void expiredShortLivedPartIsNotReadBeforeSweep() {
    NewToken newToken = Samples.token(tenant, MarkedTokens.content("over", Duration.ZERO));
    Outcome outcome = ((Done) create(List.of(newToken))).outcomes().get(0);
    Token token = outcome.token().token();

    assertThat(outcome.token().shortLived()).isEmpty();
    assertThat(list(TokenQuery.everything()))
        .extracting(StoredToken::shortLived)
        .containsOnly(Optional.empty());
    assertThat(hasShortLivedPart(token)).containsExactly("t");

    tokens.deleteExpiredParts(100);

    assertThat(hasShortLivedPart(token)).containsExactly("f");
    assertThat(list(TokenQuery.everything())).extracting(StoredToken::token).containsExactly(token);
  }

  private static List<String> hasShortLivedPart(Token token) {
    return DATABASE.asOwner(
        "SELECT short_lived IS NOT NULL FROM token WHERE token_id = '" + token.id() + "'");
  }

  @Test
  void concurrentBatchesWithSameIdsDoNotDeadlock() {
    List<Creation> creations =
        Race.run(CALLERS, i -> create(shuffledBatch(i, id -> MarkedTokens.token(tenant, id, id))));

    assertThat(creations).filteredOn(Done.class::isInstance).hasSize(1);
  }

  @Test
  void concurrentBatchesWithSameContentStoreItOnce() {
    Race.run(
        CALLERS,
        i ->
            create(
                shuffledBatch(
                    i,
                    id ->
                        MarkedTokens.deduplicated(
                            tenant, id + "-by-" + i, "of " + id, token -> true))));

    assertThat(list(TokenQuery.everything())).hasSize(20);
  }

  private List<NewToken> shuffledBatch(int index, Function<String, NewToken> token) {
    List<NewToken> batch =
        new ArrayList<>(IntStream.range(0, 20).mapToObj(i -> token.apply("token-" + i)).toList());
    Collections.rotate(batch, index * 3);
    if (index % 2 == 0) {
      Collections.reverse(batch);
    }
    return batch;
  }

  @Test
  void oldestUsableDuplicateIsFoundBehindUnusableOnes() {
    for (int i = 0; i < 50; i++) {
      create(MarkedTokens.token(tenant, "token-" + i, "same"));
    }
    Set<String> usable = Set.of("token-35", "token-45");

    Token reused =
        create(
            MarkedTokens.deduplicated(
                tenant, "wanted", "same", token -> usable.contains(token.id().value())));

    assertThat(reused.id().value()).isEqualTo("token-35");
  }

  @Test
  void unstorableTextMatchesNothing() {
    NewToken plain = MarkedTokens.token(tenant, "plain", "?");
    create(plain);

    for (String unstorable : List.of("\0", "\uD83D", "value \uDD10")) {
      TokenQuery query = new MetadataIs("key ?", unstorable);
      assertThat(list(query)).isEmpty();
      assertThat(list(new Not(query))).hasSize(1);
    }
    assertThat(list(new MetadataIs("key ?", "value ?"))).hasSize(1);
  }

  @Test
  void tokenWithoutFingerprintMatchesNone() {
    Token token = create(MarkedTokens.token(tenant, "old", "x"));
    DATABASE.asOwner(
        """
        UPDATE token SET fingerprint = NULL, fingerprint_key_version = NULL, created_by = NULL
        WHERE tenant_id = '%s'
        """
            .formatted(tenant));

    for (TokenQuery query :
        List.of(
            new FingerprintIs("fingerprint x"),
            new CreatedBy(token.provenance().createdBy().orElseThrow()))) {
      assertThat(list(query)).isEmpty();
      assertThat(list(new Not(query))).hasSize(1);
      assertThat(list(new Not(TokenQuery.allOf(query, TokenQuery.everything())))).hasSize(1);
    }
  }

  @Test
  void timesFinerThanMicrosecondsAreCompared() {
    Instant createdAt = create(MarkedTokens.token(tenant, "timed", "x")).provenance().createdAt();

    assertThat(list(new CreatedFrom(createdAt))).hasSize(1);
    assertThat(list(new CreatedFrom(createdAt.plusNanos(1)))).isEmpty();
    assertThat(list(new CreatedFrom(createdAt.minusNanos(1)))).hasSize(1);
    assertThat(list(new CreatedBefore(createdAt))).isEmpty();
    assertThat(list(new CreatedBefore(createdAt.plusNanos(1)))).hasSize(1);
    assertThat(list(new CreatedBefore(Instant.MAX))).hasSize(1);
    assertThat(list(new CreatedFrom(Instant.MIN))).hasSize(1);
  }
}
