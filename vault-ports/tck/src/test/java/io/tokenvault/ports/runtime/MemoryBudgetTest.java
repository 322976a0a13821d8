package io.tokenvault.ports.runtime;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.runtime.MemoryBudget.Share;
import io.tokenvault.ports.store.ApplicationStore.ApplicationFilter;
import io.tokenvault.ports.store.LookupCache;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.Patch;
import io.tokenvault.ports.usecase.ProxyFixture;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link MemoryBudget} and the reservations of the use cases that show tokens. */
final class MemoryBudgetTest {

  private final VaultFixture vault = new VaultFixture();
  private final ApiKey apiKey =
      vault.key(Permission.heldBy(ApplicationType.PRIVATE).toArray(Permission[]::new));
  private final Caller caller = vault.caller(apiKey);
  private final Caller revealer = vault.caller("/", AccessTransform.REVEAL, Permission.TOKEN_READ);
  private static final Delivery DELIVERY = new Delivery("api.example.com", true);

  @Test
  void reservedMemoryIsNotGrantedTwice() {
    MemoryBudget memory = new MemoryBudget(100);
    Share first = memory.open();
    Share second = memory.open();
    first.take(60);

    assertRefused(FailureCause.OVERLOADED, () -> second.take(41));
    second.take(40);
    assertRefused(FailureCause.OVERLOADED, () -> first.take(1));

    first.close();
    first.close();
    second.take(60);
    assertRefused(FailureCause.OVERLOADED, () -> first.take(1));
  }

  @Test
  void impossibleReservationIsRejectedAsTooLarge() {
    Share share = new MemoryBudget(100).open();
    share.take(60);

    assertRefused(FailureCause.BODY_TOO_LARGE, () -> share.take(41));
    assertRefused(FailureCause.BODY_TOO_LARGE, () -> share.take(Long.MAX_VALUE));
    share.take(40);
  }

  @Test
  void largeReservationLeavesMemoryForSmallOnes() {
    MemoryBudget memory = new MemoryBudget(8 << 20);
    Share large = memory.open();
    Share small = memory.open();
    assertRefused(FailureCause.BODY_TOO_LARGE, () -> large.take(8 << 20));
    large.take(7 << 20);

    assertRefused(FailureCause.OVERLOADED, () -> small.take(100_000));
    small.take(60_000);
    small.take(5_000);
    assertRefused(FailureCause.OVERLOADED, () -> small.take(1_000));
  }

  @Test
  void concurrentReservationsNeverExceedBudget() {
    MemoryBudget memory = new MemoryBudget(1000);
    AtomicLong reserved = new AtomicLong();

    IntStream.range(0, 20_000)
        .parallel()
        .forEach(
            i -> {
              try (Share share = memory.open()) {
                share.take(400);
                assertThat(reserved.addAndGet(400)).isLessThanOrEqualTo(1000);
                reserved.addAndGet(-400);
              } catch (RefusedException full) {
                assertThat(full.failure()).isEqualTo(FailureCause.OVERLOADED);
              }
            });

    memory.open().take(1000);
  }

  private static final PageRequest PAGE = new PageRequest(1, 9);

  /** Returns the operations that load a token and do not delete it. */
  private List<Consumer<MemoryReservation>> loadingOperations(TokenId id) {
    return List.of(
        reservation -> vault.tokens.read(caller, id, reservation),
        reservation -> vault.tokens.list(caller, TokenQuery.everything(), PAGE, reservation),
        reservation -> vault.tokens.search(caller, TokenQuery.everything(), PAGE, reservation),
        reservation ->
            vault.tokens.detokenize(caller, Draft.json("\"{{" + id.value() + "}}\""), reservation),
        reservation ->
            vault.changeTokens.change(
                caller,
                id,
                new Patch().metadata("a", "b").toPatch(),
                ExpectedVersion.ANY,
                new Violations(),
                reservation),
        reservation ->
            vault.createTokens.create(
                caller,
                Draft.of("some data").deduplicated().toDraft(),
                new Violations(),
                reservation),
        reservation ->
            vault.invocations.begin(
                vault.admit(apiKey),
                ProxyFixture.destination("api.example.com"),
                Set.of(id.value()),
                reservation),
        reservation ->
            vault.tokenDecryptor.preview(
                caller,
                caller,
                Set.of(id.value()),
                DELIVERY,
                AttemptReservation.toShow(reservation)));
  }

  @Test
  void loadReservesMemoryBeforeTokenIsRecordedAndDecrypted() {
    TokenId id = vault.token("/general/", "some data");
    for (Consumer<MemoryReservation> load : loadingOperations(id)) {
      List<String> recordedMessages = recordedMessages();

      vault.assertRefusedUndecrypted(
          FailureCause.BODY_TOO_LARGE, () -> load.accept(new MemoryBudget(10).open()));

      assertThat(recordedMessages()).isEqualTo(recordedMessages);
      load.accept(new MemoryBudget(1000).open());
    }
  }

  /** Omits lists and searches, which are recorded even if refused: a refusal discloses data. */
  private List<String> recordedMessages() {
    return vault.messages().stream().filter(each -> !each.startsWith("Tokens ")).toList();
  }

  @Test
  void tokenLoadedOnlyForDecisionReservesMemoryToo() {
    TokenId id = vault.token("/general/", "some data");
    Share small = new MemoryBudget(10).open();

    assertRefused(
        FailureCause.BODY_TOO_LARGE,
        () -> vault.tokens.delete(caller, id, ExpectedVersion.ANY, small));

    vault.tokens.delete(caller, id, ExpectedVersion.ANY, new MemoryBudget(1000).open());
  }

  @Test
  void manyValuesReserveMoreThanTheirLength() {
    TokenId few = vault.token(Draft.ofJson("token", "\"" + "x".repeat(3000) + "\"")).id();
    TokenId many = vault.token(Draft.ofJson("token", "[" + "[],".repeat(999) + "[]]")).id();

    long difference = memoryToRead(many) - memoryToRead(few);

    assertThat(difference).isGreaterThan(70 * 900);
  }

  private long memoryToRead(TokenId id) {
    AtomicLong taken = new AtomicLong();
    vault.tokens.read(revealer, id, taken::addAndGet);
    return taken.get();
  }

  @Test
  void logPageReservesMemoryForItsMaximumEntries() {
    AtomicLong taken = new AtomicLong();

    vault.logs.list(vault.manager(), LogFilter.all(), new PageRequest(1, 100), taken::addAndGet);
    assertThat(taken.get()).isEqualTo(100 * 2048);
    vault.logs.walk(vault.manager(), LogFilter.all(), Optional.empty(), 100, taken::addAndGet);
    assertThat(taken.get()).isEqualTo(200 * 2048);
  }

  @Test
  void applicationPageReservesMemory() {
    assertRefused(
        FailureCause.BODY_TOO_LARGE,
        () ->
            vault.applications.list(
                vault.manager(),
                new ApplicationFilter(Set.of(), Set.of()),
                PAGE,
                new MemoryBudget(10).open()));
  }

  @Test
  void cachedLookupReservesMemoryToo() {
    TokenId id = vault.token("/general/", "some data");
    LookupRequest known = caller.with(Set.of(id));
    LookupResult loaded = vault.stores.lookup().load(known, MemoryReservation.UNBOUNDED);
    Authenticator cachingAuthenticator =
        new Authenticator(
            vault.lookup,
            new LookupCache() {
              @Override
              public Found lookUp(LookupRequest lookup, MemoryReservation reservation) {
                return new Found(loaded, true);
              }

              @Override
              public void invalidate(LookupRequest lookup) {}
            },
            vault.hasher,
            vault.stores.credentials(),
            vault.recorder,
            RateLimits.NONE);
    TokenDecryptor tokenDecryptor =
        new TokenDecryptor(vault.lookup, vault.contents, cachingAuthenticator, vault.recorder);
    CachedCaller cachedCaller =
        new CachedCaller(
            cachingAuthenticator.cachedCaller(loaded, caller.identity(), Caller.Bounds.NONE),
            VaultTokens.READ);
    vault.lookup.drain();
    AtomicLong taken = new AtomicLong();

    tokenDecryptor.read(cachedCaller, id, AttemptReservation.toShow(taken::addAndGet));

    assertThat(vault.lookup.drain()).isEmpty();
    assertThat(taken.get()).isGreaterThanOrEqualTo(AttemptReservation.TO_SHOW * loaded.size());
  }

  @Test
  void repeatedDecisionReservesMemoryOnce() {
    TokenId id = vault.token("/general/", "some data");
    List<Consumer<MemoryReservation>> operations =
        List.of(
            reservation -> vault.tokens.read(caller, id, reservation),
            reservation -> vault.tokens.list(caller, TokenQuery.everything(), PAGE, reservation));
    for (Consumer<MemoryReservation> operation : operations) {
      AtomicLong once = new AtomicLong();
      operation.accept(once::addAndGet);
      AtomicLong again = new AtomicLong();
      vault.recorder.returnStale(3);

      operation.accept(again::addAndGet);

      assertThat(again.get()).isEqualTo(once.get()).isPositive();
    }
  }

  private static long cost(String json) {
    return MemoryBudget.costOfJson(json.getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '!',
      value = {
        "1 | 1",
        "\"a,b:[{\" | 1",
        "\"a\\\",[[\" | 1",
        "\"a\\\\\",[ | 3",
        "[1,1,1] | 4",
        "[[],[]] | 5",
        "{\"a\":1,\"b\":{}} | 6"
      })
  void eachValueAndKeyCountsButNotStringContent(String json, int values) {
    assertThat(cost(json)).isEqualTo(8L * json.length() + 72L * values);
  }

  @Test
  void truncatedJsonIsCountedUpToItsEnd() {
    assertThat(cost("\"a\\")).isPositive();
    assertThat(cost("")).isPositive();
  }
}
