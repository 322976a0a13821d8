package io.tokenvault.ports.usecase.authorization;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RateLimitedException;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.ports.memory.InMemoryLimits;
import io.tokenvault.ports.store.LookupCache;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the rate limits of {@link Authenticator}. */
final class AuthenticatorRatesTest {

  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final String MESSAGE = "Requests over the rate limit denied";

  private final VaultFixture vault = new VaultFixture();
  private Instant now = VaultFixture.START;
  private final Authenticator authenticator =
      new Authenticator(
          vault.lookup,
          LookupCache.none(vault.lookup),
          vault.hasher,
          vault.stores.credentials(),
          vault.recorder,
          new InMemoryLimits(() -> now, 2, INTERVAL));

  private void admit(ApiKey key, Requirement requirement) {
    authenticator.authenticate(Optional.of(VaultFixture.text(key)), requirement);
  }

  private void admit(ApiKey key) {
    admit(key, Requirement.VALID_KEY);
  }

  private void admitCached(ApiKey key) {
    authenticator.authenticateCached(
        Optional.of(VaultFixture.text(key)), Requirement.VALID_KEY, Bounds.NONE, subject -> {});
  }

  private void exhaustRate(ApiKey key) {
    admit(key);
    admit(key);
  }

  private ApiKey newKey() {
    return vault.key(Permission.TOKEN_READ);
  }

  private long recorded(String message) {
    return vault.messages().stream().filter(message::equals).count();
  }

  @Test
  void excessRequestReceivesRetryDelay() {
    ApiKey key = newKey();
    exhaustRate(key);
    now = now.plusMillis(6_500);

    RateLimitedException limited =
        catchThrowableOfType(RateLimitedException.class, () -> admit(key));

    assertThat(limited.retryAfter()).isEqualTo(Duration.ofMillis(3_500));
    assertThat(limited.retryAfterSeconds()).isEqualTo(4);
  }

  @Test
  void floodIsRecordedOncePerMinuteUnderApplication() {
    ApiKey key = newKey();
    exhaustRate(key);
    for (int i = 0; i < 50; i++) {
      assertRefused(FailureCause.RATE_LIMITED, () -> admit(key));
    }
    assertThat(recorded(MESSAGE)).isEqualTo(1);
    AuditEntry entry = vault.entries().get(0);
    assertThat(entry.isRefusal()).isTrue();
    assertThat(entry.actor().id()).map(Object::toString).contains(entry.entityId());

    now = now.plusSeconds(60);
    exhaustRate(key);
    assertRefused(FailureCause.RATE_LIMITED, () -> admit(key));
    assertThat(recorded(MESSAGE)).isEqualTo(2);
  }

  @Test
  void rateRejectionIsRecordedBeforeItIsReturned() {
    ApiKey key = newKey();
    exhaustRate(key);
    vault.recorder.fail();

    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> admit(key));
  }

  @Test
  void replacedKeyIsInvalidWhileItsApplicationIsLimited() {
    ApiKey key = vault.tenant.key();
    exhaustRate(key);
    assertRefused(FailureCause.RATE_LIMITED, () -> admit(key));

    vault.regenerate(vault.tenant.applicationId(), KeyGrace.NONE);

    assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> admit(key));
  }

  @Test
  void rateLimitPrecedesMissingPermissionWhichIsNotRecorded() {
    ApiKey key = newKey();
    for (int i = 0; i < 2; i++) {
      assertRefused(FailureCause.PERMISSION_DENIED, () -> admit(key, ManageApplications.DELETE));
    }

    assertRefused(FailureCause.RATE_LIMITED, () -> admit(key, ManageApplications.DELETE));

    assertThat(recorded("Denied: missing permission application:delete")).isEqualTo(2);
  }

  @Test
  void unknownKeysAreNotCounted() {
    for (int i = 0; i < 5; i++) {
      ApiKey unknown = ApiKey.generate(new Random(1));
      assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> admit(unknown));
    }
  }

  @Test
  void expiredKeysAreNotCounted() {
    ApiKey key = vault.expiringKey(vault.manager());
    vault.advanceClock(Duration.ofMinutes(1));

    for (int i = 0; i < 5; i++) {
      assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> admit(key));
    }
  }

  @Test
  void earlierAndNewKeysShareApplicationRateLimit() {
    ApiKey key = vault.tenant.key();
    exhaustRate(key);
    ApiKey fresh = vault.regenerate(vault.tenant.applicationId(), KeyGrace.NONE);

    assertRefused(FailureCause.RATE_LIMITED, () -> admit(fresh));
  }

  @Test
  void cachedAndUncachedRequestsAreCountedTogether() {
    ApiKey key = newKey();
    admit(key);
    admitCached(key);

    assertRefused(FailureCause.RATE_LIMITED, () -> admit(key));
  }
}
