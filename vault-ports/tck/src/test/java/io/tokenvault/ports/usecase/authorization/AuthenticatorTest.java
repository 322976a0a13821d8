package io.tokenvault.ports.usecase.authorization;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.application.ManageApplications;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class AuthenticatorTest {

  private static final KeyGrace HOUR = new KeyGrace(Duration.ofHours(1));

  private final VaultFixture vault = new VaultFixture();

  private Caller admit(ApiKey key, Requirement requirement) {
    return vault.authenticator.authenticate(Optional.of(VaultFixture.text(key)), requirement);
  }

  @Test
  void validKeyAuthenticatesItsApplication() {
    Caller caller = admit(vault.tenant.key(), ManageApplications.READ);

    assertThat(caller.application().id()).isEqualTo(vault.tenant.applicationId());
    assertThat(caller.tenantId()).isEqualTo(vault.tenantId());
  }

  @Test
  void missingMalformedAndUnknownKeysAreRejectedAlike() {
    ApiKey unknown = ApiKey.generate(new Random());

    assertUnauthenticated(Optional.empty());
    assertUnauthenticated(Optional.of(""));
    assertUnauthenticated(Optional.of("key_wrong"));
    assertUnauthenticated(Optional.of(VaultFixture.text(unknown)));
    assertThat(vault.messages()).hasSize(2);
  }

  private void assertUnauthenticated(Optional<String> key) {
    assertRefused(
        FailureCause.MISSING_OR_INVALID_KEY,
        () -> vault.authenticator.authenticate(key, Requirement.VALID_KEY));
  }

  @Test
  void malformedKeyIsNotLookedUp() {
    assertUnauthenticated(Optional.of("key_" + "0".repeat(38)));

    assertThat(vault.lookup.drain()).isEmpty();
  }

  @Test
  void missingPermissionIsForbiddenAndRecorded() {
    ApiKey key = vault.key(Permission.TOKEN_READ);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> admit(key, ManageApplications.DELETE));

    assertThat(vault.messages().get(0)).isEqualTo("Denied: missing permission application:delete");
    assertThat(vault.entries().get(0).operation()).isEqualTo(Operation.DELETE);
  }

  @Test
  void expiredKeyIsRejectedAndRecorded() {
    ApiKey key = vault.expiringKey(vault.manager());
    assertThat(vault.caller(key).application().type()).isEqualTo(ApplicationType.EXPIRING);

    vault.advanceClock(Duration.ofMinutes(1));

    assertUnauthenticated(Optional.of(VaultFixture.text(key)));
    assertThat(vault.messages().get(0)).isEqualTo("Use of an expired API key denied");
  }

  @Test
  void earlierKeyIsRejectedAndRecordedOnceGracePeriodEnds() {
    ApiKey newKey = vault.regenerate(vault.tenant.applicationId(), HOUR);
    vault.advanceClock(Duration.ofMinutes(59));
    assertThat(vault.caller(vault.tenant.key()).tenantId()).isEqualTo(vault.tenantId());

    vault.advanceClock(Duration.ofMinutes(1));

    assertUnauthenticated(Optional.of(VaultFixture.text(vault.tenant.key())));
    assertThat(vault.messages().get(0)).isEqualTo("Use of an expired API key denied");
    assertThat(vault.caller(newKey).tenantId()).isEqualTo(vault.tenantId());
  }

  @Test
  void decisionForEarlierKeyEndsWithGracePeriod() {
    ApiKey newKey = vault.regenerate(vault.tenant.applicationId(), HOUR);

    assertThat(vault.caller(vault.tenant.key()).versions().until())
        .contains(VaultFixture.START.plus(HOUR.duration()));
    assertThat(vault.caller(newKey).versions().until()).isEmpty();
  }

  @Test
  void rejectedKeyIsNotCountedAsUse() {
    List<ApplicationId> ids = List.of(vault.tenant.applicationId());
    vault.regenerate(ids.get(0), HOUR);
    vault.advanceClock(HOUR.duration());
    assertUnauthenticated(Optional.of(VaultFixture.text(vault.tenant.key())));

    vault.authenticator.storeUses(vault.stores.applications());

    // The only use is that of regenerating the key.
    assertThat(vault.stores.applications().lastUses(vault.tenantId(), ids))
        .isEqualTo(Map.of(ids.get(0), VaultFixture.START));
  }

  @Test
  void unrecordableRejectionReturnsStoreUnavailable() {
    ApiKey key = vault.expiringKey(vault.manager());
    vault.recorder.fail();

    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> admit(key, ManageApplications.DELETE));
  }
}
