package io.tokenvault.domain.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ApplicationTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000006Z");
  private static final ApplicationId ID = new ApplicationId(new UUID(1, 1));
  private static final TenantId TENANT = new TenantId(new UUID(1, 2));
  private static final Optional<UUID> CREATOR = Optional.of(new UUID(1, 3));
  private static final AccessPolicyDraft READ =
      AccessPolicyDraft.empty().grant(Permission.TOKEN_READ);

  @Test
  void createdApplicationHasVersionOneAndThePropertiesOfItsDraft() {
    ApplicationDraft.Valid draft = valid("expiring", NOW.plusSeconds(1));

    assertThat(Application.create(ID, TENANT, draft, CREATOR, NOW))
        .isEqualTo(
            new Application(
                ID,
                TENANT,
                draft.type(),
                draft.settings(),
                Optional.of(NOW.plusSeconds(1)),
                Optional.empty(),
                new Provenance(CREATOR, NOW, Optional.empty(), Optional.empty()),
                1));
  }

  @Test
  void updateReplacesSettingsAndKeepsEverythingElse() {
    Application created = create("private", null);
    ApplicationSettings settings =
        new ApplicationUpdate("other", READ, true).parse(created, new Violations()).orElseThrow();
    Optional<UUID> by = Optional.of(new UUID(1, 4));

    Application updated = created.update(settings, by, NOW.plusSeconds(9));

    assertThat(updated)
        .usingRecursiveComparison()
        .ignoringFields("settings", "provenance", "version")
        .isEqualTo(created);
    assertThat(updated.settings()).isEqualTo(settings);
    assertThat(updated.version()).isEqualTo(2);
    assertThat(updated.provenance())
        .isEqualTo(new Provenance(CREATOR, NOW, by, Optional.of(NOW.plusSeconds(9))));
  }

  @Test
  void regenerationIsUpdateWithSameSettings() {
    Application created = create("private", null);

    assertThat(created.regenerate(Optional.empty(), NOW.plusSeconds(9)))
        .isEqualTo(created.update(created.settings(), Optional.empty(), NOW.plusSeconds(9)));
  }

  @Test
  void applicationIsExpiredAtAndAfterExpiry() {
    Application expiring = create("expiring", NOW.plusSeconds(60));

    assertThat(expiring.isExpired(NOW.plusSeconds(60).minusNanos(1000))).isFalse();
    assertThat(expiring.isExpired(NOW.plusSeconds(60))).isTrue();
    assertThat(expiring.isExpired(Instant.MAX)).isTrue();
    assertThat(create("private", null).isExpired(Instant.MAX)).isFalse();
  }

  private static Application create(String type, Instant expiresAt) {
    return Application.create(ID, TENANT, valid(type, expiresAt), CREATOR, NOW);
  }

  private static ApplicationDraft.Valid valid(String type, Instant expiresAt) {
    Violations violations = new Violations();
    return violations.require(
        new ApplicationDraft("app", type, READ, expiresAt, null).parse(NOW, violations));
  }
}
