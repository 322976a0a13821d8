package io.tokenvault.server.e2e.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code GET /tenants/self}. */
class OwnTenantTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();

  @Test
  void anyValidKeyReadsItsTenant() {
    RunningVault.shared().newTenant();
    List<Client> callers =
        List.of(
            tenant.management(),
            tenant.application("public", "token:create"),
            tenant.application("private", "token:use"));
    for (Client each : callers) {
      Response own = each.get("/tenants/self").expect(200);

      assertThat(Json.names(own.json())).containsExactlyInAnyOrder("id", "name", "created_at");
      assertThat(own.text("id")).isEqualTo(tenant.id());
      assertThat(own.text("name")).isNotBlank();
      assertThat(OffsetDateTime.parse(own.text("created_at")).getOffset())
          .isEqualTo(ZoneOffset.UTC);
    }
    RunningVault.shared().get("/tenants/self").expectProblem(401, "unauthenticated");
  }

  @Test
  void readOfTenantIsRecorded() {
    Client reader = tenant.application("public", "token:create");
    reader.get("/tenants/self").expect(200);

    String byReader = "actor_id=" + reader.id();
    assertThat(tenant.operations(byReader)).containsExactly("read tenant " + tenant.id());
    assertThat(tenant.messages(byReader)).containsExactly("Tenant retrieved");
  }

  @Test
  void otherTenantsHaveNoPath() {
    tenant.management().get("/tenants/" + tenant.id()).expectProblem(404, "not-found");
    tenant.management().get("/tenants/self?x=1").expectErrorsAt("x");
  }
}
