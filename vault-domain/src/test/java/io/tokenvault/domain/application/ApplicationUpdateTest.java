package io.tokenvault.domain.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.failure.Violations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ApplicationUpdateTest {

  private static final AccessPolicyDraft READ = new AccessPolicyDraft(List.of("token:read"), null);

  @Test
  void validUpdateIsAccepted() {
    assertThat(check(ApplicationType.PRIVATE, new ApplicationUpdate("app", READ, true))).isEmpty();
    assertThat(check(ApplicationType.EXPIRING, new ApplicationUpdate("app", READ, null))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ApplicationType.class)
  void emptyUpdateReportsAllViolations(ApplicationType type) {
    assertThat(check(type, new ApplicationUpdate(null, null, null)))
        .containsOnlyKeys("name", "error");
  }

  @ParameterizedTest
  @EnumSource(value = ApplicationType.class, names = "PRIVATE", mode = EnumSource.Mode.EXCLUDE)
  void onlyPrivateApplicationsMayCreateExpiringOnes(ApplicationType type) {
    assertThat(check(type, new ApplicationUpdate("app", READ, false)))
        .containsEntry(
            "can_create_expiring_applications", List.of("is for private applications only"));
  }

  @Test
  void typeLimitsGrantedPermissions() {
    assertThat(check(ApplicationType.PUBLIC, new ApplicationUpdate("app", READ, null)))
        .isEqualTo(
            Map.of("permissions[0]", List.of("token:read cannot be held by a public application")));
  }

  private static Map<String, List<String>> check(ApplicationType type, ApplicationUpdate update) {
    Violations violations = new Violations();
    Optional<ApplicationSettings> settings = update.parse(type, violations);
    assertThat(settings.isPresent()).isEqualTo(violations.isEmpty());
    return violations.asMap();
  }
}
