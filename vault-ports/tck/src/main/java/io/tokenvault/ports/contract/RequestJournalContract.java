package io.tokenvault.ports.contract;

import static io.tokenvault.ports.contract.Samples.tokenHash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.Announced;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.store.RequestJournal.JournalState;
import io.tokenvault.ports.store.RequestJournal.JournalState.Completed;
import io.tokenvault.ports.store.RequestJournal.JournalState.Different;
import io.tokenvault.ports.store.RequestJournal.JournalState.First;
import io.tokenvault.ports.store.RequestJournal.JournalState.Lost;
import io.tokenvault.ports.store.RequestJournal.JournalState.Running;
import io.tokenvault.ports.store.RequestJournal.JournalState.Stale;
import io.tokenvault.ports.store.RequestJournal.StoredResponse;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.model.NewApplication;
import io.tokenvault.ports.store.model.ResponseSubject;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link RequestJournal}. */
public abstract class RequestJournalContract extends StoreContract {

  private static final Duration LONG = Duration.ofHours(24);
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final List<ResponseSubject> SUBJECTS =
      List.of(
          ResponseSubject.of(Kind.APPLICATION, UUID.randomUUID()),
          ResponseSubject.of(Kind.TOKEN_CHANGED, "an id with a space"));
  private static final StoredResponse RESPONSE =
      new StoredResponse(Optional.of(Samples.encrypted("response")), SUBJECTS, Optional.empty());

  private RequestJournal journal;
  private Application application;

  @BeforeEach
  void createCaller() {
    journal = stores.requestJournal();
    application = createApplication(Samples.application(tenant));
  }

  private IdempotentRequest request(String place, String content) {
    return request(application, LONG, List.of(tokenHash(place)), List.of(tokenHash(content)), 3);
  }

  private static IdempotentRequest request(
      Application owner,
      Duration retention,
      List<TokenHash> places,
      List<TokenHash> contents,
      int keyCount) {
    return new IdempotentRequest(
        owner.tenantId(), owner.id(), UUID.randomUUID(), places, contents, keyCount, retention);
  }

  private JournalState once(IdempotentRequest request) {
    return once(request, () -> RESPONSE);
  }

  private JournalState once(IdempotentRequest request, Supplier<StoredResponse> work) {
    return journal.once(request, MemoryReservation.UNBOUNDED, work);
  }

  private JournalState announce(IdempotentRequest request) {
    return journal.announce(request, LONG, MemoryReservation.UNBOUNDED);
  }

  @Test
  void replayReservesEncryptedSizeOfResponse() {
    for (int length : List.of(10, 1 << 20)) {
      EncryptedValue encrypted = new EncryptedValue(1, new byte[length]);
      String place = "place of " + length;
      AtomicLong reserved = new AtomicLong();
      StoredResponse response =
          new StoredResponse(Optional.of(encrypted), SUBJECTS, Optional.empty());
      journal.once(request(place, "content"), reserved::addAndGet, () -> response);
      assertThat(reserved).hasValue(0);

      assertThat(journal.once(request(place, "content"), reserved::addAndGet, never()))
          .isInstanceOfSatisfying(
              Completed.class, replay -> assertThat(replay.encrypted()).contains(encrypted));
      assertThat(journal.announce(request(place, "content"), LONG, reserved::addAndGet))
          .isInstanceOfSatisfying(
              Completed.class, replay -> assertThat(replay.encrypted()).contains(encrypted));

      assertThat(reserved).hasValue(2L * length);
      assertReservesMemory(
          reservation -> journal.once(request(place, "content"), reservation, never()));
      assertReservesMemory(
          reservation -> journal.announce(request(place, "content"), LONG, reservation));
    }
  }

  private static Supplier<StoredResponse> never() {
    return () -> {
      throw new AssertionError("the request ran again");
    };
  }

  @Test
  void retryReturnsRecordedResponseWithoutRunningAgain() {
    IdempotentRequest first = request("place", "content");

    assertThat(once(first)).isEqualTo(new First());

    assertThat(once(request("place", "content"), never()))
        .isEqualTo(new Completed(first.id(), RESPONSE.encrypted(), SUBJECTS));
    assertThat(announce(request("place", "content")))
        .isEqualTo(new Completed(first.id(), RESPONSE.encrypted(), SUBJECTS));
  }

  @Test
  void unrecordableResponseIsAbsentOnRetry() {
    StoredResponse withoutResponse =
        new StoredResponse(Optional.empty(), SUBJECTS, Optional.empty());
    IdempotentRequest first = request("place", "content");
    once(first, () -> withoutResponse);

    assertThat(once(request("place", "content"), never()))
        .isEqualTo(new Completed(first.id(), Optional.empty(), SUBJECTS));
  }

  @Test
  void retryWithDifferentContentIsDetected() {
    once(request("place", "content"));

    assertThat(once(request("place", "other"), never())).isEqualTo(new Different());
    assertThat(announce(request("place", "other"))).isEqualTo(new Different());
  }

  @Test
  void placesApplicationsAndTenantsAreIndependent() {
    Application second = createApplication(Samples.application(tenant));
    Application foreign = createApplication(Samples.application(otherTenant));
    List<TokenHash> place = List.of(tokenHash("place"));
    List<TokenHash> content = List.of(tokenHash("content"));
    once(request("place", "content"));

    assertThat(once(request("other place", "content"))).isEqualTo(new First());
    assertThat(once(request(second, LONG, place, content, 3))).isEqualTo(new First());
    assertThat(once(request(foreign, LONG, place, content, 3))).isEqualTo(new First());
  }

  @Test
  void changesAndResponseCommitAtomically() {
    NewApplication committed = Samples.application(tenant);
    NewApplication rolledBack = Samples.application(tenant);
    NewToken rolledBackToken = Samples.token(tenant);
    NewToken[] several = {Samples.token(tenant), Samples.token(tenant)};

    once(
        request("committed", "content"),
        () -> {
          createApplication(committed);
          return RESPONSE;
        });
    assertWorkFails(
        () -> {
          createApplication(rolledBack);
          createProxy(Samples.proxy(tenant));
          storeToken(rolledBackToken);
          stores.tokens().create(List.of(several), Samples::expiry);
        });

    assertThat(stores.applications().find(tenant, committed.id())).isPresent();
    assertThat(stores.applications().find(tenant, rolledBack.id())).isEmpty();
    assertThat(messages(tenant)).doesNotContain("proxy created", "token created");
    assertThat(store(rolledBackToken)).isPresent();
    assertThat(store(several[0])).isPresent();
    assertThat(once(request("rolled back", "content"))).isEqualTo(new First());
  }

  /** Runs a request whose work makes changes and then fails. */
  private void assertWorkFails(Runnable changes) {
    assertThatThrownBy(
            () ->
                once(
                    request("rolled back", "content"),
                    () -> {
                      changes.run();
                      throw new IllegalStateException("the work failed");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the work failed");
  }

  @Test
  void failedWorkRollsBackAllChanges() {
    Token token = createToken(Samples.token(tenant));
    TokenUpdate update =
        new TokenUpdate(Samples.tokenSettings("/moved/"), Optional.empty(), false, CHANGER);
    assertWorkFails(
        () -> {
          assertThat(updateToken(tenant, token.id(), token.version(), update)).isPresent();
          replaceKey(tenant, application.id(), Samples.hash());
        });

    assertThat(stores.applications().find(tenant, application.id()))
        .get()
        .extracting(Application::version)
        .isEqualTo(application.version());
    assertThat(deleteToken(token)).isTrue();
    assertThat(messages(tenant)).doesNotContain("changed", "key replaced");
  }

  @Test
  void rejectedChangePreservesOtherChangesInWork() {
    NewToken existing = Samples.token(tenant);
    NewToken other = Samples.token(tenant);
    storeToken(existing);

    once(
        request("place", "content"),
        () -> {
          assertThat(stores.tokens().create(List.of(other, existing), Samples::expiry))
              .isNotInstanceOf(Done.class);
          storeToken(other);
          return RESPONSE;
        });

    assertThat(store(other)).isEmpty();
  }

  @Test
  void entryRecordedSeparatelySurvivesFailedWork() {
    assertThatThrownBy(
            () ->
                once(
                    request("rolled back", "content"),
                    () -> {
                      stores
                          .recorder()
                          .record(
                              List.of(Samples.entry(tenant, "recorded")),
                              Preconditions.none(tenant));
                      throw RefusedException.notFound();
                    }))
        .isInstanceOf(RefusedException.class);

    assertThat(messages(tenant)).contains("recorded");
  }

  @Test
  void exactlyOneConcurrentRequestRuns() {
    AtomicInteger runs = new AtomicInteger();
    List<JournalState> states =
        Race.run(
            i ->
                once(
                    request("place", "content"),
                    () -> {
                      runs.incrementAndGet();
                      return RESPONSE;
                    }));

    assertThat(runs).hasValue(1);
    assertThat(states).containsOnlyOnce(new First());
  }

  @Test
  void concurrentRetryIsReportedAsRunning() {
    List<JournalState> states = new ArrayList<>();
    once(
        request("place", "content"),
        () -> {
          states.addAll(
              Race.run(
                  List.of(
                      () -> once(request("place", "content"), never()),
                      () -> announce(request("place", "content")))));
          return RESPONSE;
        });

    assertThat(states).containsExactly(new Running(), new Running());
  }

  @Test
  void announcedRequestRunsUntilCompleted() {
    IdempotentRequest first = request("place", "content");
    assertThat(announce(first)).isEqualTo(new First());
    assertThat(announce(request("place", "content"))).isEqualTo(new Running());
    assertThat(announce(request("place", "other"))).isEqualTo(new Different());

    assertThat(journal.complete(tenant, first.id(), RESPONSE)).isTrue();

    assertThat(announce(request("place", "content")))
        .isEqualTo(new Completed(first.id(), RESPONSE.encrypted(), SUBJECTS));
    assertThat(journal.complete(tenant, first.id(), RESPONSE)).isFalse();
    journal.withdraw(tenant, first.id());
    journal.abandon(tenant, first.id());
    assertThat(announce(request("place", "content"))).isInstanceOf(Completed.class);
  }

  @Test
  void announcedRequestIsLostUnlessProlonged() {
    IdempotentRequest lost = request("lost", "content");
    IdempotentRequest prolonged = request("prolonged", "content");
    Duration runningTime = Duration.ofMillis(500);
    journal.announce(lost, runningTime, MemoryReservation.UNBOUNDED);
    journal.announce(prolonged, runningTime, MemoryReservation.UNBOUNDED);
    journal.prolong(List.of(new Announced(tenant, prolonged.id())), LONG);

    poll(() -> announce(request("lost", "content")).equals(new Lost()));

    assertThat(announce(request("prolonged", "content"))).isEqualTo(new Running());
    assertThat(journal.complete(tenant, lost.id(), RESPONSE)).as("late response").isTrue();
    assertThat(announce(request("lost", "content"))).isInstanceOf(Completed.class);
  }

  @Test
  void abandonedRequestIsLostAndWithdrawnRequestIsForgotten() {
    IdempotentRequest abandoned = request("abandoned", "content");
    IdempotentRequest withdrawn = request("withdrawn", "content");
    announce(abandoned);
    announce(withdrawn);

    journal.abandon(tenant, abandoned.id());
    journal.withdraw(tenant, withdrawn.id());

    assertThat(announce(request("abandoned", "content"))).isEqualTo(new Lost());
    assertThat(announce(request("withdrawn", "content"))).isEqualTo(new First());
    journal.abandon(otherTenant, withdrawn.id());
    assertThat(journal.complete(otherTenant, withdrawn.id(), RESPONSE)).isFalse();
  }

  @Test
  void sweepDeletesExpiredRequest() {
    List<TokenHash> place = List.of(tokenHash("place"));
    List<TokenHash> content = List.of(tokenHash("content"));
    once(request(application, SHORT, place, content, 3));
    once(request("stays", "content"));

    waitUntil(now().plus(SHORT));

    assertThat(journal.deleteExpired(10)).isEqualTo(1);
    assertThat(journal.deleteExpired(10)).isZero();
    assertThat(once(request("place", "other"))).isEqualTo(new First());
    assertThat(once(request("stays", "content"), never())).isInstanceOf(Completed.class);
  }

  @Test
  void expiredRequestIsIgnoredBeforeSweep() {
    List<TokenHash> place = List.of(tokenHash("place"));
    once(request(application, SHORT, place, List.of(tokenHash("content")), 3));

    waitUntil(now().plus(SHORT));

    assertThat(once(request("place", "other"))).isEqualTo(new First());
  }

  @Test
  void responseCanExpireBeforeItsRequest() {
    StoredResponse shortLived =
        new StoredResponse(RESPONSE.encrypted(), SUBJECTS, Optional.of(SHORT));
    IdempotentRequest first = request("place", "content");
    once(first, () -> shortLived);
    assertThat(stores.encryptedFields().countByVersion(tenant)).isEqualTo(Map.of(1, 1L));

    waitUntil(now().plus(SHORT));

    Completed withoutResponse = new Completed(first.id(), Optional.empty(), SUBJECTS);
    assertThat(once(request("place", "content"), never())).isEqualTo(withoutResponse);
    assertThat(journal.deleteExpiredResponses(10)).isEqualTo(1);
    assertThat(journal.deleteExpiredResponses(10)).isZero();
    assertThat(stores.encryptedFields().countByVersion(tenant)).isEmpty();
    assertThat(once(request("place", "content"), never())).isEqualTo(withoutResponse);
  }

  @Test
  void requestIsFoundAfterTenantReceivesNewKeys() {
    once(request("place", "content"));
    addKeys(Samples.key(KeyPurpose.FINGERPRINT, 2));

    assertThat(once(request("place", "content"), never()))
        .as("hashed without the new key")
        .isEqualTo(new Stale());
    List<TokenHash> places = List.of(tokenHash(2, "place under two"), tokenHash("place"));
    List<TokenHash> contents = List.of(tokenHash(2, "content under two"), tokenHash("content"));
    assertThat(once(request(application, LONG, places, contents, 4), never()))
        .isInstanceOf(Completed.class);
  }

  @Test
  void deletionOfApplicationOrTenantRemovesRequests() {
    once(request("place", "content"));
    assertThat(stores.encryptedFields().countByVersion(tenant)).isEqualTo(Map.of(1, 1L));

    deleteApplication(tenant, application.id());

    assertThat(stores.encryptedFields().countByVersion(tenant)).isEmpty();
    Application foreign = createApplication(Samples.application(otherTenant));
    List<TokenHash> place = List.of(tokenHash("place"));
    once(request(foreign, LONG, place, place, 3));
    assertThat(deleteTenant(otherTenant)).isTrue();
    assertThat(stores.encryptedFields().countByVersion(otherTenant)).isEmpty();
  }

  @Test
  void recordedResponsesAreReencrypted() {
    IdempotentRequest first = request("place", "content");
    once(first);
    EncryptedValue reencrypted = new EncryptedValue(2, new byte[] {1, 2, 3});

    var stale = stores.encryptedFields().stale(tenant, 2, Optional.empty(), 10);

    assertThat(stale).hasSize(1);
    assertThat(stores.encryptedFields().replace(stale.get(0), reencrypted)).isTrue();
    assertThat(once(request("place", "content"), never()))
        .isEqualTo(new Completed(first.id(), Optional.of(reencrypted), SUBJECTS));
    assertThat(stores.encryptedFields().stale(tenant, 2, Optional.empty(), 10)).isEmpty();
  }

  @Test
  void requestOfShreddedTenantIsRejected() {
    destroyKeys(tenant);

    assertThatThrownBy(() -> once(request("place", "content")))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void brokenConnectionReportsUnavailable() {
    fixture.breakConnection();
    RequestJournal broken = stores.requestJournal();
    TenantId id = tenant;

    assertUnavailable(
        () -> broken.once(request(MARKER, MARKER), MemoryReservation.UNBOUNDED, never()));
    assertUnavailable(
        () -> broken.announce(request(MARKER, MARKER), LONG, MemoryReservation.UNBOUNDED));
    assertUnavailable(() -> broken.complete(id, UUID.randomUUID(), RESPONSE));
    assertUnavailable(() -> broken.withdraw(id, UUID.randomUUID()));
    assertUnavailable(() -> broken.abandon(id, UUID.randomUUID()));
    assertUnavailable(() -> broken.deleteExpired(1));
    assertUnavailable(() -> broken.deleteExpiredResponses(1));
  }

  @Test
  void failedAuditEntryRollsBackChange() {
    fixture.refuseEntries();

    assertUnavailable(
        () ->
            once(
                request("place", "content"),
                () -> {
                  createApplication(Samples.application(tenant));
                  return RESPONSE;
                }));
  }
}
