package io.tokenvault.adapters.http.response;

import io.tokenvault.adapters.http.json.JsonTextWriter.Members;
import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.Condition;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenSelector;
import io.tokenvault.domain.application.Application;
import io.tokenvault.ports.usecase.application.ApplicationView;
import io.tokenvault.ports.usecase.application.IssuedApplication;
import java.util.List;
import java.util.function.Consumer;

/** Renders applications as JSON, with the fields in the order of the interface. */
public final class ApplicationJson {

  private ApplicationJson() {}

  /** Writes a new application with its API key, which is shown only once. */
  public static void issued(IssuedApplication issued, Members members) {
    write(issued.application(), members, key -> key.secretText("key", issued.key().value()));
  }

  /** Writes an application without its key. */
  public static void application(Application application, Members members) {
    write(application, members, noKey -> {});
  }

  /** Writes an application without its key, but with the time of its last use. */
  public static void view(ApplicationView view, Members members) {
    application(view.application(), members);
    members.optional("last_used_at", view.lastUsedAt(), members::put);
  }

  /** Writes the fields of an application; {@code key} may add one after the name. */
  private static void write(Application application, Members members, Consumer<Members> key) {
    members
        .put("id", application.id().value())
        .put("tenant_id", application.tenantId().value())
        .put("name", application.settings().name().value());
    key.accept(members);
    members
        .put("type", application.type().value())
        .texts("permissions", types(application.policy().permissions()))
        .objects("rules", application.policy().rules(), ApplicationJson::rule);
    ResourceRenderer.provenance(application.provenance(), members);
    members
        .optional("expires_at", application.expiresAt(), members::put)
        .optional(
            "can_create_expiring_applications",
            application.settings().canCreateExpiring(),
            members::put);
  }

  private static List<String> types(List<Permission> permissions) {
    return permissions.stream().map(Permission::type).toList();
  }

  private static void rule(AccessRule rule, Members members) {
    members.put("description", rule.description()).put("priority", rule.priority());
    selector(rule.selector(), members);
    members
        .put("transform", rule.transform().value())
        .texts("permissions", types(rule.permissions()));
  }

  /** Writes the container or the conditions that select the tokens of a rule. */
  private static void selector(TokenSelector selector, Members members) {
    if (selector instanceof TokenSelector.InContainer inContainer) {
      members.put("container", inContainer.container().path());
    } else if (selector instanceof TokenSelector.MeetsAll meetsAll) {
      members.objects("conditions", meetsAll.conditions(), ApplicationJson::condition);
    }
  }

  private static void condition(Condition condition, Members members) {
    members
        .put("attribute", condition.attribute().value())
        .put("operator", condition.operator().value())
        .put("value", condition.value());
  }
}
