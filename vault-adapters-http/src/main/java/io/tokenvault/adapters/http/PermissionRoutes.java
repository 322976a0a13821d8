package io.tokenvault.adapters.http;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.JsonText.Members;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.ports.usecase.Caller;
import io.tokenvault.ports.usecase.Requirement;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The permission catalogue. */
final class PermissionRoutes {

  static final String TYPE = "application_type";

  private final Renderer renderer;

  PermissionRoutes(Renderer renderer) {
    this.renderer = renderer;
  }

  void addTo(Router router) {
    router.get("/permissions", Requirement.VALID_KEY, PermissionRoutes::type, this::list);
  }

  private Answer list(Context context, Caller caller, Optional<ApplicationType> type) {
    return Answer.ok(renderer.text(catalogue(type)));
  }

  static Optional<ApplicationType> type(QueryParameters query) {
    return query.one(TYPE, ApplicationType::of, "must be one of " + ApplicationType.choices());
  }

  /** Writes what a type of applications may hold, or all there is. */
  static Consumer<JsonText> catalogue(Optional<ApplicationType> type) {
    List<Permission> permissions =
        type.map(Permission::heldBy).orElseGet(() -> Arrays.asList(Permission.values()));
    return Renderer.array(permissions, PermissionRoutes::render);
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
