package io.tokenvault.adapters.http.resource;

import static io.tokenvault.adapters.http.resource.Router.current;
import io.javalin.http.Context;
import io.tokenvault.adapters.http.response.JsonRenderer.JsonTextWriter;
import io.tokenvault.adapters.http.response.JsonRenderer.ObjectWriter;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.JsonRenderer;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The route of the permission catalog, {@code GET /permissions}, which every valid API key may
 * call.
 */
public final class PermissionRoutes {

  /** The name of the parameter that filters the catalog. */
  static final String TYPE = "application_type";

  private final JsonRenderer renderer;

  public PermissionRoutes(JsonRenderer renderer) {
    this.renderer = renderer;
  }

  /** Adds the route to a router. */
  public void addTo(Router router) {
    router.get("/permissions", current(Requirement.VALID_KEY), PermissionRoutes::type, this::list);
  }

  private ApiResponse list(Context context, Caller caller, Optional<ApplicationType> type) {
    return ApiResponse.ok(renderer.text(catalogue(type)));
  }

  /** Reads the filter by application type; empty for all permissions. */
  static Optional<ApplicationType> type(QueryParameters query) {
    return query.one(TYPE, ApplicationType::of, "must be one of " + ApplicationType.choices());
  }

  /**
   * Returns a writer of the permissions that a type of application may have.
   *
   * @param type empty for the whole catalog
   */
  static Consumer<JsonTextWriter> catalogue(Optional<ApplicationType> type) {
    List<Permission> permissions =
        type.map(Permission::heldBy).orElseGet(() -> Arrays.asList(Permission.values()));
    return JsonRenderer.array(permissions, PermissionRoutes::render);
  }

  private static void render(Permission permission, ObjectWriter json) {
    json
        .put("type", permission.type())
        .put("description", permission.description())
        .strings(
            "application_types",
            permission.applicationTypes().stream().map(ApplicationType::value).toList());
  }
}
