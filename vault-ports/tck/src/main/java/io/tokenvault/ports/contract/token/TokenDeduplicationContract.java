package io.tokenvault.ports.contract.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.contract.StoreContract;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.Creation.IdTaken;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.NewToken.Deduplication;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.StoredToken;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Contract tests for deduplication in {@link TokenStore}. */
public abstract class TokenDeduplicationContract extends StoreContract {

  private static final Predicate<Token> ANY = token -> true;
  private static final Predicate<Token> NONE = token -> false;

  private final TokenHash fingerprint = Samples.fingerprint();

  private NewToken deduplicated(TenantId tenantId, Predicate<Token> usable) {
    return Samples.deduplicated(
        Samples.token(tenantId, Samples.content(Samples.encrypted("deduplicated"), fingerprint)),
        usable);
  }

  private NewToken withId(String id) {
    return Samples.token(
        tenant,
        id,
        Samples.tokenSettings("/"),
        Samples.content(Samples.encrypted("named"), fingerprint));
  }

  private Outcome outcome(NewToken token) {
    return store(token).orElseThrow();
  }

  private Creation create(NewToken... tokens) {
    return stores.tokens().create(Arrays.asList(tokens), Samples::expiry);
  }

  private long count() {
    return listTokens(tenant, TokenQuery.everything()).totalItems();
  }

  @Test
  void reusedTokenReservesItsSize() {
    EncryptedContent large = Samples.content(new EncryptedValue(1, new byte[1 << 20]), fingerprint);
    StoredToken existing = storeToken(Samples.token(tenant, large));
    NewToken newToken = Samples.token(tenant);
    AtomicLong reserved = new AtomicLong();

    Creation creation =
        create(reserved::addAndGet, newToken, deduplicated(tenant, ANY), deduplicated(tenant, ANY));

    assertThat(((Done) creation).outcomes().subList(1, 3))
        .allSatisfy(reused -> assertThat(reused).isEqualTo(new Outcome(existing, false)));
    assertReservationFits(reserved.get(), 2 * existing.size(), 2);
    assertThat(count()).isEqualTo(2);
    List<String> before = messages(tenant);

    assertReservesMemory(
        reservation -> create(reservation, Samples.token(tenant), deduplicated(tenant, ANY)));

    assertThat(count()).isEqualTo(2);
    assertThat(messages(tenant)).isEqualTo(before);
  }

  private Creation create(MemoryReservation reservation, NewToken... tokens) {
    return stores
        .tokens()
        .create(Arrays.asList(tokens), Preconditions.none(tenant), Samples::expiry, reservation);
  }

  @Test
  void usableTokenIsReturnedInsteadOfNewOne() {
    Outcome first = outcome(deduplicated(tenant, ANY));

    Outcome second = outcome(deduplicated(tenant, ANY));

    assertThat(first.isNew()).isTrue();
    assertThat(second.isNew()).isFalse();
    assertThat(second.token()).isEqualTo(first.token());
    assertThat(count()).isEqualTo(1);
    assertThat(messages(tenant)).containsExactly("token found", "token created", "tenant created");
  }

  @Test
  void unusableTokenIsNotReused() {
    Outcome first = outcome(deduplicated(tenant, ANY));

    Outcome second = outcome(deduplicated(tenant, NONE));

    assertThat(second.isNew()).isTrue();
    assertThat(second.token().token().id()).isNotEqualTo(first.token().token().id());
    assertThat(messages(tenant)).doesNotContain("token found");
  }

  @Test
  void equalTokensAreStoredWithoutDeduplication() {
    createToken(withId("one"));

    assertThat(outcome(withId("two")).isNew()).isTrue();
  }

  @Test
  void oldestUsableTokenIsReused() {
    for (String id : List.of("oldest", "older", "newer", "newest")) {
      createToken(withId(id));
    }

    Outcome reused =
        outcome(deduplicated(tenant, token -> !token.id().equals(new TokenId("oldest"))));

    assertThat(reused.token().token().id()).isEqualTo(new TokenId("older"));
  }

  @Test
  void oneMatchingFingerprintSuffices() {
    Token old = createToken(withId("old"));
    NewToken newToken =
        Samples.token(
            tenant,
            Samples.content(Samples.encrypted("new"), Samples.tokenHash(2, "another version")));
    Deduplication deduplication =
        new Deduplication(
            Set.of(newToken.content().fingerprint().hex(), fingerprint.hex()),
            ANY,
            found -> Samples.entry(tenant, "found " + found.id()));

    Outcome reused = outcome(Samples.deduplicated(newToken, deduplication));

    assertThat(reused.token().token()).isEqualTo(old);
    assertThat(messages(tenant).get(0)).isEqualTo("found old");
  }

  @Test
  void tokenOfAnotherTenantIsNotReused() {
    outcome(deduplicated(otherTenant, ANY));

    assertThat(outcome(deduplicated(tenant, ANY)).isNew()).isTrue();
  }

  @Test
  void expiredOrDeletedTokenIsNotReused() {
    Instant expiresAt = soon();
    createToken(
        Samples.token(
            tenant,
            "temporary",
            new TokenSettings(
                Samples.tokenSettings("/").containers(), Map.of(), Optional.of(expiresAt)),
            Samples.content(Samples.encrypted("x"), fingerprint)));
    Token deleted = createToken(withId("deleted"));
    deleteToken(deleted);
    waitUntil(expiresAt);

    assertThat(outcome(deduplicated(tenant, ANY)).isNew()).isTrue();
  }

  @Test
  void tokenIsFoundByCurrentContentOnly() {
    Token token = createToken(withId("changing"));
    EncryptedContent other = Samples.content("other");

    updateToken(
        tenant,
        token.id(),
        token.version(),
        new TokenUpdate(token.settings(), Optional.of(other), false, CHANGER));

    assertThat(outcome(deduplicated(tenant, ANY)).isNew()).isTrue();
    NewToken equal = Samples.deduplicated(Samples.token(tenant, other), ANY);
    assertThat(outcome(equal).token().token().id()).isEqualTo(token.id());
  }

  @Test
  void reuseDoesNotRequireFreeId() {
    NewToken first = Samples.deduplicated(withId("taken"), ANY);
    outcome(first);

    assertThat(outcome(first).isNew()).isFalse();
    assertThat(store(Samples.deduplicated(withId("taken"), NONE))).isEmpty();
  }

  @Test
  void earlierTokenInBatchIsReused() {
    Creation creation =
        create(deduplicated(tenant, ANY), deduplicated(tenant, ANY), deduplicated(tenant, NONE));

    List<Outcome> outcomes = ((Done) creation).outcomes();
    assertThat(outcomes).extracting(Outcome::isNew).containsExactly(true, false, true);
    assertThat(outcomes.get(1).token()).isEqualTo(outcomes.get(0).token());
    assertThat(count()).isEqualTo(2);
    assertThat(messages(tenant))
        .containsExactly("token created", "token found", "token created", "tenant created");
  }

  @Test
  void laterDuplicateIdPreventsRecordingReuse() {
    createToken(withId("taken"));

    assertThat(create(deduplicated(tenant, ANY), withId("taken"))).isEqualTo(new IdTaken(1));

    assertThat(messages(tenant)).doesNotContain("token found");
  }

  @Test
  void concurrentDuplicatesStoreOneToken() {
    List<Outcome> outcomes = Race.run(i -> outcome(deduplicated(tenant, ANY)));

    assertThat(outcomes).filteredOn(Outcome::isNew).hasSize(1);
    assertThat(outcomes).extracting(Outcome::token).containsOnly(outcomes.get(0).token());
    assertThat(count()).isEqualTo(1);
    assertThat(messages(tenant)).filteredOn("token found"::equals).hasSize(Race.RUNNERS - 1);
  }

  @Test
  void batchesWithReversedFingerprintsDoNotDeadlock() {
    TokenHash other = Samples.fingerprint();

    List<Creation> creations =
        Race.run(
            i -> {
              NewToken one = deduplicated(tenant, ANY);
              NewToken two =
                  Samples.deduplicated(
                      Samples.token(tenant, Samples.content(Samples.encrypted("other"), other)),
                      ANY);
              return i % 2 == 0 ? create(one, two) : create(two, one);
            });

    assertThat(creations).hasOnlyElementsOfType(Done.class);
    assertThat(count()).isEqualTo(2);
  }

  @Test
  void failedAuditEntryPreventsReuse() {
    outcome(deduplicated(tenant, ANY));
    fixture.refuseEntries();

    assertUnavailable(() -> create(deduplicated(tenant, ANY)));
  }
}
