package io.tokenvault.server.e2e.application;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.guarantee.PermissionCatalog;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class PermissionsTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();

  @Test
  void allThirtyAreReturnedInPublishedOrder() {
    JsonNode response = tenant.management().get("/permissions").expect(200).json();

    assertThat(response).hasSize(30).isEqualTo(published(each -> true));
  }

  @Test
  void filterReturnsPermissionsAllowedForApplicationType() {
    for (String type : PermissionCatalog.APPLICATION_TYPES) {
      assertThat(filtered(type).expect(200).json())
          .isEqualTo(published(each -> each.isAllowedFor(type)));
    }
    for (String unknown : List.of("robot", "PRIVATE", "")) {
      filtered(unknown).expectErrorsAt("application_type");
    }
  }

  private Response filtered(String type) {
    return tenant.management().get("/permissions?application_type=" + type);
  }

  private static JsonNode published(Predicate<PermissionCatalog> condition) {
    return Json.of(
        PermissionCatalog.PERMISSIONS.stream()
            .filter(condition)
            .map(
                each ->
                    Json.object("type", each.permission(), "description", each.description())
                        .set("application_types", Json.of(each.types())))
            .toList());
  }
}
