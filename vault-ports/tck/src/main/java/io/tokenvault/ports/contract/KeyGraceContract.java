package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder.Outcome;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.ApplicationStore.ApplicationUse;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Contract tests for the grace period of replaced keys in {@link ApplicationStore}, look-up, and
 * recorder; and for the recorded use of applications.
 */
public abstract class KeyGraceContract extends StoreContract {

  private static final KeyGrace LONG = new KeyGrace(Duration.ofDays(7));
  private static final KeyGrace SHORT = new KeyGrace(Duration.ofSeconds(1));

  private final KeyHash second = Samples.hash();
  private KeyHash first;
  private Application application;

  @BeforeEach
  void createApplicationWithKey() {
    NewApplication newApplication = Samples.application(tenant);
    first = newApplication.keyHash();
    application = createApplication(newApplication);
  }

  private ApplicationStore applications() {
    return stores.applications();
  }

  private Optional<Application> replace(TenantId tenantId, KeyHash hash, KeyGrace grace) {
    AuditEntry entry = Samples.entry(tenantId, "key replaced");
    return applications()
        .replaceKey(
            tenantId, application.id(), ExpectedVersion.ANY, hash, grace, Optional.empty(), entry);
  }

  private Application replace(KeyHash hash, KeyGrace grace) {
    return replace(tenant, hash, grace).orElseThrow();
  }

  private boolean isValidKey(KeyHash hash) {
    return caller(hash).filter(each -> !each.expired()).isPresent();
  }

  private Instant expiryOf(KeyHash hash) {
    return caller(hash).orElseThrow().keyEnds().orElseThrow();
  }

  @Test
  void earlierKeyWorksUntilGracePeriodEnds() {
    Instant before = now();
    Application replaced = replace(second, LONG);

    assertThat(isValidKey(first)).isTrue();
    assertThat(isValidKey(second)).isTrue();
    assertThat(caller(first).orElseThrow().application()).isEqualTo(replaced);
    assertThat(replaced.version()).isGreaterThan(application.version());
    assertThat(expiryOf(first))
        .isBetween(before.plus(LONG.duration()), now().plus(LONG.duration()));
    assertThat(caller(second).orElseThrow().keyEnds()).isEmpty();
  }

  @Test
  void endedKeyIsReportedExpiredAndItsDecisionsAreStale() {
    Application replaced = replace(second, SHORT);
    Instant end = expiryOf(first);
    Preconditions withoutEnd = Preconditions.none(tenant).with(replaced);
    Preconditions withEnd = withoutEnd.until(end);

    waitUntil(end);

    assertThat(caller(first).orElseThrow().expired()).isTrue();
    assertThat(isValidKey(second)).isTrue();
    assertThat(record(withEnd)).isEqualTo(Outcome.STALE);
    assertThat(record(withEnd.and(withoutEnd))).isEqualTo(Outcome.STALE);
    assertThat(record(withoutEnd.and(withEnd))).isEqualTo(Outcome.STALE);
    assertThat(record(withoutEnd)).isEqualTo(Outcome.RECORDED);
  }

  @Test
  void decisionForEarlierKeyIsValidUntilKeyEnds() {
    Application replaced = replace(second, LONG);

    assertThat(record(Preconditions.none(tenant).with(replaced).until(expiryOf(first))))
        .isEqualTo(Outcome.RECORDED);
  }

  private Outcome record(Preconditions preconditions) {
    return stores.recorder().record(List.of(Samples.entry(tenant, "decided")), preconditions);
  }

  @Test
  void replacementWithoutGraceEndsAllEarlierKeysImmediately() {
    KeyHash third = Samples.hash();
    replace(second, LONG);

    replace(third, KeyGrace.NONE);

    assertThat(isValidKey(first)).isFalse();
    assertThat(isValidKey(second)).isFalse();
    assertThat(isValidKey(third)).isTrue();
  }

  @Test
  void earlierKeyNeverOutlivesLaterKey() {
    KeyHash third = Samples.hash();
    KeyHash fourth = Samples.hash();
    replace(second, LONG);
    replace(third, new KeyGrace(Duration.ofHours(1)));
    Instant earliest = expiryOf(first);
    assertThat(earliest).isEqualTo(expiryOf(second)).isBefore(now().plus(Duration.ofHours(2)));

    replace(fourth, LONG);

    assertThat(expiryOf(first)).isEqualTo(expiryOf(second)).isEqualTo(earliest);
    assertThat(expiryOf(third)).isAfter(earliest);
    assertThat(caller(fourth).orElseThrow().keyEnds()).isEmpty();
  }

  @Test
  void applicationDeletionEndsEarlierKeys() {
    replace(second, LONG);

    deleteApplication(tenant, application.id());

    assertThat(caller(first)).isEmpty();
    assertThat(caller(second)).isEmpty();
  }

  @Test
  void anotherTenantNeitherReplacesNorEndsKeys() {
    assertThat(replace(otherTenant, second, LONG)).isEmpty();

    assertThat(isValidKey(second)).isFalse();
    assertThat(caller(first).orElseThrow().keyEnds()).isEmpty();
  }

  @Test
  void replacementBeyondEarlierKeyLimitChangesNothing() {
    List<KeyHash> keys = new ArrayList<>(List.of(first));
    for (int i = 0; i < KeyGrace.MOST_EARLIER_KEYS; i++) {
      keys.add(Samples.hash());
      replace(keys.get(keys.size() - 1), LONG);
    }
    assertThat(keys).allMatch(this::isValidKey);
    Application before = applications().find(tenant, application.id()).orElseThrow();
    List<String> messages = messages(tenant);

    assertThatThrownBy(() -> replace(second, LONG))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.TOO_MANY_KEYS));

    assertThat(keys).allMatch(this::isValidKey);
    assertThat(isValidKey(second)).isFalse();
    assertThat(applications().find(tenant, application.id())).contains(before);
    assertThat(messages(tenant)).isEqualTo(messages);
    replace(second, KeyGrace.NONE);
    assertThat(keys).noneMatch(this::isValidKey);
  }

  @Test
  void concurrentReplacementsRespectEarlierKeyLimit() {
    List<Boolean> succeeded =
        Race.run(
            i -> {
              try {
                replace(Samples.hash(), LONG);
                return true;
              } catch (RefusedException refused) {
                return false;
              }
            });

    assertThat(succeeded.stream().filter(each -> each).count())
        .isEqualTo(Math.min(succeeded.size(), KeyGrace.MOST_EARLIER_KEYS));
  }

  @Test
  void renewedHashEndsWithItsEarlierKey() {
    replace(second, LONG);
    Instant end = expiryOf(first);
    KeyHash newHash = Samples.hash(2);

    stores.credentials().renew(tenant, first, newHash);

    assertThat(caller(first)).isEmpty();
    assertThat(expiryOf(newHash)).isEqualTo(end);
    replace(Samples.hash(), KeyGrace.NONE);
    assertThat(isValidKey(newHash)).isFalse();
  }

  @Test
  void endedKeysFreeCapacityAndSweepDeletesThemWithinLimit() {
    replace(second, LONG);
    assertThat(applications().deleteEndedKeys(100)).isZero();
    List<KeyHash> others = new ArrayList<>();
    for (int i = 1; i < KeyGrace.MOST_EARLIER_KEYS; i++) {
      others.add(Samples.hash());
      replace(others.get(i - 1), SHORT);
    }

    waitUntil(expiryOf(others.get(others.size() - 2)));
    KeyHash last = Samples.hash();
    replace(last, LONG);

    assertThat(applications().deleteEndedKeys(1)).isEqualTo(1);
    assertThat(applications().deleteEndedKeys(100)).isEqualTo(KeyGrace.MOST_EARLIER_KEYS - 1);
    assertThat(applications().deleteEndedKeys(100)).isZero();
    assertThat(caller(first)).isEmpty();
    assertThat(caller(second)).isEmpty();
    assertThat(isValidKey(others.get(others.size() - 1))).isTrue();
    assertThat(isValidKey(last)).isTrue();
  }

  @Test
  void failedAuditEntryPreventsReplacement() {
    fixture.refuseEntries();

    assertUnavailable(() -> replace(second, LONG));

    assertThat(caller(first).orElseThrow().keyEnds()).isEmpty();
    assertThat(isValidKey(second)).isFalse();
  }

  private Optional<Instant> lastUse() {
    return Optional.ofNullable(
        applications().lastUses(tenant, List.of(application.id())).get(application.id()));
  }

  private void recordUses(Instant... times) {
    applications()
        .noteUses(
            List.of(times).stream()
                .map(at -> new ApplicationUse(tenant, application.id(), at))
                .toList());
  }

  @Test
  void lastUseIsStoredAndNeverMovesBack() {
    Instant minute = now().truncatedTo(ChronoUnit.MINUTES);
    assertThat(lastUse()).isEmpty();

    recordUses(minute);
    assertThat(lastUse()).contains(minute);
    recordUses(minute.minusSeconds(60));
    assertThat(lastUse()).contains(minute);
    recordUses(minute.plusSeconds(60));
    assertThat(lastUse()).contains(minute.plusSeconds(60));
  }

  @Test
  void recordedUseDoesNotChangeApplication() {
    recordUses(now().truncatedTo(ChronoUnit.MINUTES));

    assertThat(applications().find(tenant, application.id())).contains(application);
    assertThat(record(Preconditions.none(tenant).with(application))).isEqualTo(Outcome.RECORDED);
  }

  @Test
  void lastUseSurvivesKeyReplacementButNotDeletion() {
    Instant minute = now().truncatedTo(ChronoUnit.MINUTES);
    recordUses(minute);

    replace(second, KeyGrace.NONE);
    assertThat(lastUse()).contains(minute);
    replace(Samples.hash(), LONG);
    assertThat(lastUse()).contains(minute);

    deleteApplication(tenant, application.id());
    assertThat(lastUse()).isEmpty();
  }

  @Test
  void usesAreRecordedTogetherIgnoringUnknownApplications() {
    Instant minute = now().truncatedTo(ChronoUnit.MINUTES);
    Application foreign = createApplication(Samples.application(otherTenant));
    ApplicationId missing = new ApplicationId(UUID.randomUUID());

    applications()
        .noteUses(
            List.of(
                new ApplicationUse(tenant, application.id(), minute),
                new ApplicationUse(tenant, missing, minute),
                new ApplicationUse(tenant, foreign.id(), minute),
                new ApplicationUse(otherTenant, foreign.id(), minute.plusSeconds(60))));

    assertThat(applications().lastUses(tenant, List.of(application.id(), missing, foreign.id())))
        .containsOnlyKeys(application.id());
    assertThat(applications().lastUses(otherTenant, List.of(foreign.id())))
        .containsEntry(foreign.id(), minute.plusSeconds(60));
  }

  @Test
  void brokenConnectionReportsUnavailable() {
    fixture.breakConnection();

    assertUnavailable(() -> replace(second, LONG));
    assertUnavailable(() -> applications().deleteEndedKeys(1));
    assertUnavailable(this::lastUse);
    assertUnavailable(() -> recordUses(Instant.EPOCH));
  }
}
