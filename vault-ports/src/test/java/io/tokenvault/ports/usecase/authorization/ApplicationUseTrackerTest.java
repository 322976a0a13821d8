package io.tokenvault.ports.usecase.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.ports.usecase.Vault;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When an application was last used, and what the log tells of its keys. */
final class ApplicationUseTrackerTest {

  private final Vault vault = new Vault();
  private final ApplicationUseTracker uses = new ApplicationUseTracker(vault.stores.applications());
  private final Application application = vault.manager().application();

  private Optional<Instant> shown() {
    return vault.applications.find(vault.manager(), application.id()).lastUsedAt();
  }

  @Test
  void whatWasNotedIsShownToTheMinuteOnceItWasWrittenDown() {
    uses.note(application, Vault.START.plusSeconds(61));
    assertThat(shown()).isEmpty();

    uses.writeDown();

    Instant minute = Vault.START.plusSeconds(60);
    assertThat(shown()).contains(minute);
    assertThat(vault.applications.findByKey(vault.manager()).lastUsedAt()).contains(minute);
  }

  @Test
  void ofSeveralUsesTheLastOneCounts() {
    uses.note(application, Vault.START.plusSeconds(600));
    uses.note(application, Vault.START);

    uses.writeDown();

    assertThat(shown()).contains(Vault.START.plusSeconds(600));
  }

  @Test
  void whatCannotBeWrittenDownStaysNoted() {
    uses.note(application, Vault.START);
    vault.stores.breakConnection();
    Vault.assertRefused(FailureCause.STORE_UNAVAILABLE, uses::writeDown);
    vault.stores.close();

    uses.writeDown();

    assertThat(shown()).contains(Vault.START);
  }

  @Test
  void theLogTellsHowLongEarlierKeysGoOn() {
    ApplicationId id = application.id();

    vault.applications.regenerate(vault.manager(), id, new KeyGrace(Duration.ofHours(2)));

    assertThat(vault.messages().get(0))
        .isEqualTo("Application API key regenerated; earlier ones end within 7200 seconds");
    vault.applications.regenerate(vault.manager(), id, KeyGrace.NONE);
    assertThat(vault.messages().get(0)).isEqualTo("Application API key regenerated");
  }

  @Test
  void aSweepRemovesWhatHasEnded() {
    vault.applications.regenerate(
        vault.manager(), application.id(), new KeyGrace(Duration.ofHours(2)));
    assertThat(vault.sweep.run()).isZero();

    vault.pass(Duration.ofHours(2));

    assertThat(vault.sweep.run()).isEqualTo(1);
    assertThat(vault.sweep.run()).isZero();
  }

  @Test
  void whoMayNotUpdateApplicationsRegeneratesNoKey() {
    Caller reader = vault.caller(ApplicationType.MANAGEMENT, Permission.APPLICATION_READ);

    Vault.assertRefused(
        FailureCause.PERMISSION_DENIED,
        () -> vault.applications.regenerate(reader, application.id(), KeyGrace.NONE));
    assertThat(vault.messages().get(0)).isEqualTo("Denied: missing permission application:update");
  }
}
