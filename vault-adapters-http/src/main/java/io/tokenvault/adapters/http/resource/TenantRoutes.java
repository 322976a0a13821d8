package io.tokenvault.adapters.http.resource;

import static io.tokenvault.adapters.http.resource.Router.current;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.adapters.http.response.JsonRenderer.ObjectWriter;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.tenant.ReadTenant;

/** The route that shows callers their own tenant. */
public final class TenantRoutes {

  private final ReadTenant tenants;
  private final JsonRenderer renderer;

  public TenantRoutes(ReadTenant tenants, JsonRenderer renderer) {
    this.tenants = tenants;
    this.renderer = renderer;
  }

  public void addTo(Router router) {
    router.get("/tenants/self", current(ReadTenant.READ), this::find);
  }

  private ApiResponse find(Context context, Caller caller) {
    return ApiResponse.ok(renderer.one(tenants.read(caller), TenantRoutes::render));
  }

  private static void render(Tenant tenant, ObjectWriter json) {
    json.put("id", tenant.id().value())
        .put("name", tenant.name().value())
        .put("created_at", tenant.createdAt());
  }
}
