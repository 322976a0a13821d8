package io.tokenvault.adapters.http.resource;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.json.JsonTextWriter;
import io.tokenvault.adapters.http.json.JsonTextWriter.Members;
import io.tokenvault.adapters.http.request.QueryParameters;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.ResourceRenderer;
import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The permission catalogue. */
public final class PermissionRoutes {

  static final String TYPE = "application_type";

  private final ResourceRenderer renderer;

  public PermissionRoutes(ResourceRenderer renderer) {
    this.renderer = renderer;
  }

  public void addTo(Router router) {
    router.get("/permissions", Requirement.VALID_KEY, PermissionRoutes::type, this::list);
  }

  private ApiResponse list(Context context, Caller caller, Optional<ApplicationType> type) {
    return ApiResponse.ok(renderer.text(catalogue(type)));
  }

  static Optional<ApplicationType> type(QueryParameters query) {
    return query.one(TYPE, ApplicationType::of, "must be one of " + ApplicationType.choices());
  }

  /** Writes what a type of applications may hold, or all there is. */
  static Consumer<JsonTextWriter> catalogue(Optional<ApplicationType> type) {
    List<Permission> permissions =
        type.map(Permission::heldBy).orElseGet(() -> Arrays.asList(Permission.values()));
    return ResourceRenderer.array(permissions, PermissionRoutes::render);
  }

  private static void render(Permission permission, Members members) {
    members
        .put("type", permission.type())
        .put("description", permission.description())
        .texts(
            "application_types",
            permission.applicationTypes().stream().map(ApplicationType::value).toList());
  }
}
