package io.tokenvault.domain.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.Violations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ApplicationDraftTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.000006Z");
  private static final Duration MICROSECOND = Duration.ofNanos(1000);
  private static final Instant IN_AN_HOUR = NOW.plus(Duration.ofHours(1));
  private static final String NAME_LENGTH = "must be 1 to 200 characters long and not blank";
  private static final String EXPIRY = "must be in the future and at most one day from now";

  static Stream<Arguments> invalidDrafts() {
    return Stream.of(
        arguments(draft(null, "private", null, null), "name", NAME_LENGTH),
        arguments(draft("marker".repeat(50), "private", null, null), "name", NAME_LENGTH),
        arguments(draft("app", null, null, null), "type", "is required"),
        arguments(
            draft("app", "Private", null, null),
            "type",
            "must be one of private, public, management, expiring, not 'Private'"),
        arguments(
            draft("app", "private", IN_AN_HOUR, null),
            "expires_at",
            "is for expiring applications only"),
        arguments(draft("app", "expiring", NOW, null), "expires_at", EXPIRY),
        arguments(
            draft("app", "expiring", NOW.plus(Duration.ofDays(1)).plus(MICROSECOND), null),
            "expires_at",
            EXPIRY),
        arguments(draft("app", "expiring", Instant.MAX, null), "expires_at", EXPIRY),
        arguments(draft("app", "expiring", Instant.MIN, null), "expires_at", EXPIRY),
        arguments(
            draft("app", "expiring", null, true),
            "can_create_expiring_applications",
            "is for private applications only"),
        arguments(
            draft("app", "expiring", null, false),
            "can_create_expiring_applications",
            "is for private applications only"));
  }

  @ParameterizedTest
  @MethodSource("invalidDrafts")
  void violationIsReportedAtItsPath(ApplicationDraft draft, String path, String message) {
    assertThat(check(draft)).isEqualTo(Map.of(path, List.of(message)));
  }

  @Test
  void validDraftIsAccepted() {
    assertThat(check(draft("app", "private", null, null))).isEmpty();
    assertThat(check(draft("app", "private", null, true))).isEmpty();
    assertThat(check(draft("app", "expiring", null, null))).isEmpty();
    assertThat(check(draft("app", "expiring", NOW.plus(MICROSECOND), null))).isEmpty();
    assertThat(check(draft("app", "expiring", NOW.plus(Duration.ofDays(1)), null))).isEmpty();
    assertThat(check(draft("\ud83d\ude00".repeat(200), "private", null, null))).isEmpty();
  }

  @Test
  void emptyDraftReportsAllViolations() {
    assertThat(check(new ApplicationDraft(null, null, null, null, null)))
        .containsOnlyKeys("name", "type", "error");
  }

  @Test
  void allErrorsAreReportedTogetherAndNotRepeated() {
    ApplicationDraft draft =
        new ApplicationDraft(
            "marker".repeat(50),
            "public",
            new AccessPolicyDraft(List.of("token:eat"), null),
            IN_AN_HOUR,
            true);

    assertThat(check(draft))
        .containsOnlyKeys(
            "name", "permissions[0]", "expires_at", "can_create_expiring_applications");
    assertThat(check(draft).toString()).doesNotContain("marker");
  }

  @Test
  void delegatedDraftWithPermissionThatCreatorLacksIsRejected() {
    assertThat(delegate("expiring", Permission.TOKEN_USE))
        .isEqualTo(
            Map.of(
                "permissions[0]",
                List.of("token:read is not held by the application that grants it")));
    assertThat(delegate("expiring", Permission.TOKEN_READ)).isEmpty();
  }

  @Test
  void delegatedDraftOfAnotherTypeIsRejected() {
    assertThat(delegate("private", Permission.TOKEN_READ))
        .isEqualTo(
            Map.of("type", List.of("must be expiring; this API key cannot create other types")));
    assertThat(delegate(null, Permission.TOKEN_READ))
        .isEqualTo(Map.of("type", List.of("is required")));
  }

  @Test
  void delegatedDraftNamesItsCreator() {
    ApplicationId creator = new ApplicationId(new UUID(1, 1));
    ApplicationDraft draft = draft("app", "expiring", null, null);
    Authority held = Authority.of(new AccessPolicy(List.of(Permission.TOKEN_READ), List.of()));

    assertThat(draft.parseDelegated(NOW, creator, held, new Violations()))
        .hasValueSatisfying(valid -> assertThat(valid.delegatedBy()).contains(creator));
    assertThat(valid(draft).delegatedBy()).isEmpty();
  }

  private static Map<String, List<String>> delegate(String type, Permission held) {
    Violations violations = new Violations();
    Authority creator = Authority.of(new AccessPolicy(List.of(held), List.of()));
    Optional<ApplicationDraft.Valid> valid =
        draft("app", type, null, null)
            .parseDelegated(NOW, new ApplicationId(new UUID(1, 1)), creator, violations);
    assertThat(valid.isPresent()).isEqualTo(violations.isEmpty());
    return violations.asMap();
  }

  @Test
  void expiringApplicationLivesForOneMinuteByDefault() {
    assertThat(valid(draft("app", "expiring", null, null)).expiresAt())
        .contains(NOW.plus(Duration.ofMinutes(1)));
    assertThat(valid(draft("app", "expiring", IN_AN_HOUR, null)).expiresAt()).contains(IN_AN_HOUR);
  }

  @ParameterizedTest
  @EnumSource(value = ApplicationType.class, names = "EXPIRING", mode = EnumSource.Mode.EXCLUDE)
  void otherTypesDoNotExpire(ApplicationType type) {
    AccessPolicyDraft policy = AccessPolicyDraft.empty().grant(Permission.heldBy(type).get(0));

    assertThat(valid(new ApplicationDraft("app", type.value(), policy, null, null)).expiresAt())
        .isEmpty();
  }

  @Test
  void validDraftHasSettings() {
    ApplicationSettings settings = valid(draft("app", "private", null, true)).settings();

    assertThat(settings.name()).hasToString("app");
    assertThat(settings.canCreateExpiring()).isEqualTo(Optional.of(true));
    assertThat(settings.policy().permissions()).containsExactly(Permission.TOKEN_READ);
  }

  private static ApplicationDraft draft(
      String name, String type, Instant expiresAt, Boolean canCreateExpiring) {
    AccessPolicyDraft policy = new AccessPolicyDraft(List.of("token:read"), null);
    return new ApplicationDraft(name, type, policy, expiresAt, canCreateExpiring);
  }

  private static Map<String, List<String>> check(ApplicationDraft draft) {
    Violations violations = new Violations();
    Optional<ApplicationDraft.Valid> valid = draft.parse(NOW, violations);
    assertThat(valid.isPresent()).isEqualTo(violations.isEmpty());
    return violations.asMap();
  }

  private static ApplicationDraft.Valid valid(ApplicationDraft draft) {
    Violations violations = new Violations();
    return violations.require(draft.parse(NOW, violations));
  }
}
