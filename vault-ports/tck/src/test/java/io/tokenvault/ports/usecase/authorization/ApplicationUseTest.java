package io.tokenvault.ports.usecase.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.ports.usecase.VaultFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the last use of applications, and the grace period of their earlier keys. */
final class ApplicationUseTest {

  private final VaultFixture vault = new VaultFixture();
  private final Authenticator authenticator =
      new Authenticator(vault.lookup, vault.hasher, vault.stores.credentials(), vault.recorder);
  private final Application application = vault.manager().application();

  private void use() {
    authenticator.authenticate(
        Optional.of(VaultFixture.text(vault.tenant.key())), Requirement.VALID_KEY);
  }

  private void storeUses() {
    authenticator.storeUses(vault.stores.applications());
  }

  private Optional<Instant> lastUse() {
    return vault.applications.read(vault.manager(), application.id()).lastUsedAt();
  }

  @Test
  void useIsReturnedToTheMinuteOnceStored() {
    vault.advanceClock(Duration.ofSeconds(61));
    use();
    assertThat(lastUse()).isEmpty();

    storeUses();

    Instant minute = VaultFixture.START.plusSeconds(60);
    assertThat(lastUse()).contains(minute);
    assertThat(vault.applications.readByKey(vault.manager()).lastUsedAt()).contains(minute);
  }

  @Test
  void latestOfSeveralUsesCounts() {
    use();
    vault.advanceClock(Duration.ofSeconds(600));
    use();
    vault.advanceClock(Duration.ofSeconds(-600));
    use();

    storeUses();

    assertThat(lastUse()).contains(VaultFixture.START.plusSeconds(600));
  }

  @Test
  void unstorableUseIsRetainedUntilStored() {
    use();
    vault.fixture.breakConnection();
    VaultFixture.assertRefused(FailureCause.STORE_UNAVAILABLE, this::storeUses);
    vault.fixture.close();

    storeUses();

    assertThat(lastUse()).contains(VaultFixture.START);
  }

  @Test
  void logReportsHowLongEarlierKeysRemainValid() {
    ApplicationId id = application.id();

    vault.regenerate(id, new KeyGrace(Duration.ofHours(2)));

    assertThat(vault.messages().get(0))
        .isEqualTo("Application API key regenerated; earlier ones end within 7200 seconds");
    vault.regenerate(id, KeyGrace.NONE);
    assertThat(vault.messages().get(0)).isEqualTo("Application API key regenerated");
  }

  @Test
  void sweepRemovesExpiredEarlierKeys() {
    vault.regenerate(application.id(), new KeyGrace(Duration.ofHours(2)));
    assertThat(vault.sweep.run()).isZero();

    vault.advanceClock(Duration.ofHours(2));

    assertThat(vault.sweep.run()).isEqualTo(1);
    assertThat(vault.sweep.run()).isZero();
  }

  @Test
  void callerWithoutUpdatePermissionCannotRegenerateKey() {
    Caller reader = vault.caller(ApplicationType.MANAGEMENT, Permission.APPLICATION_READ);

    VaultFixture.assertRefused(
        FailureCause.PERMISSION_DENIED,
        () ->
            vault.applications.regenerate(
                reader, application.id(), KeyGrace.NONE, ExpectedVersion.ANY));
    assertThat(vault.messages().get(0)).isEqualTo("Denied: missing permission application:update");
  }
}
