package io.tokenvault.adapters.jdbi.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.ConcurrentCallers;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.MarkedTokens;
import io.tokenvault.adapters.jdbi.StatementObserver;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests batches of tokens from concurrent calls. */
final class TokenBatchTest {

  private static final int CALLS = 40;
  private static final Duration DAY = Duration.ofDays(1);
  private static final TestDatabase DATABASE = TestDatabase.migrated();

  @AutoClose private final ConcurrentCallers callers = new ConcurrentCallers(CALLS);
  private final AtomicInteger statements = new AtomicInteger();
  @AutoClose private JdbiStores stores;
  private TenantId tenant;

  @BeforeEach
  void open() {
    stores = DATABASE.stores();
    tenant = TestDatabase.newTenant(stores);
    stores.observe(StatementObserver.counting(statements));
  }

  private List<Object> callAll(IntFunction<Creation> call) throws Exception {
    return callers.callWhileLocked(DATABASE, "token", call);
  }

  private Creation create(NewToken token) {
    return create(token, Preconditions.none(token.tenantId()));
  }

  private Creation create(NewToken token, Preconditions preconditions) {
    return stores
        .tokens()
        .create(List.of(token), preconditions, Samples::expiry, MemoryReservation.UNBOUNDED);
  }

  private NewToken token(String id) {
    return MarkedTokens.token(tenant, id, "of " + id);
  }

  private static String idOf(Object creation) {
    List<Outcome> outcomes = ((Creation.Done) creation).outcomes();
    return outcomes.get(0).token().token().id().value();
  }

  private long stored() {
    return count("token WHERE tenant_id = '" + tenant + "'");
  }

  private long entries() {
    return TestDatabase.messages(stores, tenant).stream().filter("stored"::equals).count();
  }

  private static long count(String from) {
    return Long.parseLong(DATABASE.asOwner("SELECT count(*) FROM " + from).get(0));
  }

  @Test
  void concurrentCallsShareStatementsAndGetTheirOwnTokens() throws Exception {
    List<Object> creations = callAll(i -> create(token("id-" + i)));

    assertThat(statements.get()).isLessThan(CALLS / 2);
    assertThat(creations)
        .extracting(TokenBatchTest::idOf)
        .containsExactlyElementsOf(IntStream.range(0, CALLS).mapToObj(i -> "id-" + i).toList());
    assertThat(stored()).isEqualTo(CALLS);
    assertThat(entries()).isEqualTo(CALLS);
  }

  @Test
  void batchedTokensAreStoredLikeSingleOnes() throws Exception {
    List<Object> creations =
        callAll(
            i ->
                create(
                    i % 2 == 0
                        ? MarkedTokens.token(tenant, "full-" + i, "same")
                        : Samples.token(tenant, "bare-" + i, Samples.tokenSettings("/general/"))));

    create(MarkedTokens.token(tenant, "full-alone", "same"));
    create(Samples.token(tenant, "bare-alone", Samples.tokenSettings("/general/")));
    String columns =
        """
        SELECT count(DISTINCT (type, containers, metadata, expires_at, key_version, short_lived,
               short_lived_key_version, short_lived_until IS NULL, expressions,
               expressions_key_version, fingerprint_key_version, cardinality(search_indexes),
               search_index_key_version))
        FROM token WHERE tenant_id = '%s' AND token_id LIKE '%s'
        """;
    assertThat(creations).hasOnlyElementsOfType(Creation.Done.class);
    assertThat(DATABASE.asOwner(columns.formatted(tenant, "full-%"))).containsExactly("1");
    assertThat(DATABASE.asOwner(columns.formatted(tenant, "bare-%"))).containsExactly("1");
  }

  @Test
  void staleCallsAreExcludedFromBatch() throws Exception {
    Application application =
        stores.applications().create(Samples.application(tenant), Samples.entry(tenant));
    Preconditions current = Preconditions.none(tenant).with(application);
    Preconditions stale =
        Samples.preconditions(tenant, application.id(), application.version() + 1);

    List<Object> creations = callAll(i -> create(token("id-" + i), i % 4 == 0 ? stale : current));

    for (int i = 0; i < CALLS; i++) {
      assertThat(creations.get(i))
          .isInstanceOf(i % 4 == 0 ? Creation.Stale.class : Creation.Done.class);
    }
    assertThat(stored()).isEqualTo(CALLS * 3 / 4);
    assertThat(entries()).isEqualTo(CALLS * 3 / 4);
  }

  @Test
  void onlyOneOfTwoCallsWithSameIdStoresToken() throws Exception {
    List<Object> creations = callAll(i -> create(token("id-" + i / 2)));

    assertThat(creations).filteredOn(each -> each instanceof Creation.Done).hasSize(CALLS / 2);
    assertThat(creations).filteredOn(each -> each instanceof Creation.IdTaken).hasSize(CALLS / 2);
    assertThat(stored()).isEqualTo(CALLS / 2);
    assertThat(entries()).isEqualTo(CALLS / 2);
  }

  @Test
  void idOfOneTenantIsFreeInAnother() throws Exception {
    TenantId other = TestDatabase.newTenant(stores);

    List<Object> creations =
        callAll(i -> create(MarkedTokens.token(i % 2 == 0 ? tenant : other, "id-" + i / 2, "x")));

    assertThat(creations).hasOnlyElementsOfType(Creation.Done.class);
    for (int i = 0; i < CALLS; i++) {
      TenantId owner =
          ((Creation.Done) creations.get(i)).outcomes().get(0).token().token().tenantId();
      assertThat(owner).isEqualTo(i % 2 == 0 ? tenant : other);
    }
  }

  @Test
  void shreddedOrMissingTenantDoesNotBlockOthers() throws Exception {
    TenantId shredded = TestDatabase.newTenant(stores);
    DATABASE.asOwner(
        "UPDATE tenant SET shredded_at = now() WHERE tenant_id = '%s'".formatted(shredded));
    List<TenantId> tenants = List.of(tenant, shredded, Samples.tenantId(), tenant);

    List<Object> responses =
        callAll(i -> create(MarkedTokens.token(tenants.get(i % 4), "id-" + i, "x")));

    for (int i = 0; i < CALLS; i++) {
      Object response = responses.get(i);
      switch (i % 4) {
        case 1 -> assertThat(failure(response)).isEqualTo(FailureCause.TENANT_SHREDDED);
        case 2 -> assertThat(failure(response)).isEqualTo(FailureCause.NOT_FOUND);
        default -> assertThat(response).isInstanceOf(Creation.Done.class);
      }
    }
  }

  private static FailureCause failure(Object response) {
    return ((RefusedException) response).failure();
  }

  @Test
  void tokensOfOneCallAreCreatedInOneStatementOrNone() {
    List<NewToken> all = IntStream.range(0, CALLS).mapToObj(i -> token("id-" + i)).toList();

    Creation created = stores.tokens().create(all, Samples::expiry);

    assertThat(((Creation.Done) created).outcomes())
        .extracting(each -> each.token().token().id())
        .containsExactlyElementsOf(all.stream().map(NewToken::id).toList());
    assertThat(statements.get()).isLessThan(5);

    List<NewToken> oneTaken = List.of(token("new-1"), token("id-3"), token("new-2"));
    assertThat(stores.tokens().create(oneTaken, Samples::expiry))
        .isEqualTo(new Creation.IdTaken(1));
    assertThat(stored()).isEqualTo(CALLS);
    assertThat(entries()).isEqualTo(CALLS);
  }

  @Test
  void expiredIdIsReusedInBatch() throws Exception {
    for (int i = 0; i < CALLS; i++) {
      stores.tokens().create(List.of(token("id-" + i)), Samples::expiry);
    }
    DATABASE.asOwner(
        "UPDATE token SET expires_at = now() - interval '1 hour' WHERE tenant_id = '%s'"
            .formatted(tenant));

    List<Object> creations = callAll(i -> create(token("id-" + i)));

    assertThat(creations).hasOnlyElementsOfType(Creation.Done.class);
    assertThat(entries()).isEqualTo(2 * CALLS);
  }

  @Test
  void largeTokensAreStored() {
    List<NewToken> large =
        IntStream.range(0, 5)
            .mapToObj(i -> Samples.token(tenant, Samples.withPart("x".repeat(1 << 20), DAY)))
            .toList();

    assertThat(create(large.get(0))).isInstanceOf(Creation.Done.class);
    assertThat(stores.tokens().create(large.subList(1, 5), Samples::expiry))
        .isInstanceOf(Creation.Done.class);
    assertThat(stored()).isEqualTo(5);
  }
}
