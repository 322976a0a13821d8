package io.tokenvault.server.e2e.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.PermissionCatalog;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PermissionsTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();

  @Test
  void thereAreThirtyInTheirPublishedOrder() {
    JsonNode response = tenant.management().get("/permissions").expect(200).json();

    assertThat(response).hasSize(30).isEqualTo(asAnswered(PermissionCatalog.PERMISSIONS));
  }

  @TestFactory
  Stream<DynamicTest> theFilterLeavesWhatAnApplicationTypeMayHold() {
    return PermissionCatalog.APPLICATION_TYPES.stream()
        .map(
            type ->
                dynamicTest(
                    type,
                    () ->
                        assertThat(filtered(type).expect(200).json())
                            .isEqualTo(
                                asAnswered(
                                    PermissionCatalog.PERMISSIONS.stream()
                                        .filter(each -> each.mayBeHeldBy(type))
                                        .toList()))));
  }

  @Test
  void anUnknownApplicationTypeIsRefused() {
    for (String unknown : List.of("robot", "PRIVATE", "")) {
      filtered(unknown).expectErrorsAt("application_type");
    }
  }

  @Test
  void everyApplicationWithAValidKeyMayReadThem() {
    tenant.application("public", "token:create").get("/permissions").expect(200);
    tenant.application("expiring", "token:read").get("/permissions").expect(200);
  }

  @Test
  void nobodyReadsThemWithoutAKey() {
    RunningVault.shared().get("/permissions").expectProblem(401, "unauthenticated");
  }

  private Response filtered(String type) {
    return tenant.management().get("/permissions?application_type=" + type);
  }

  private static JsonNode asAnswered(List<PermissionCatalog> permissions) {
    return Json.of(
        permissions.stream()
            .map(
                each ->
                    Json.object(
                        "type",
                        each.permission(),
                        "description",
                        each.description(),
                        "application_types",
                        each.types()))
            .toList());
  }
}
