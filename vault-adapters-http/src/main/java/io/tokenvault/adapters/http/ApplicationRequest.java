package io.tokenvault.adapters.http;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.request.JsonFields;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import java.util.List;

/** The body that creates an application (interface, section 4). */
record ApplicationRequest(
    @NotBlank(message = Shapes.NAME) String name,
    @NotNull(message = Shapes.REQUIRED) String type,
    List<String> permissions,
    List<@Valid RuleRequest> rules,
    Instant expiresAt,
    Boolean canCreateExpiringApplications) {

  static ApplicationRequest read(JsonFields fields) {
    ApplicationRequest request =
        new ApplicationRequest(
            fields.text("name"),
            fields.text("type"),
            fields.texts("permissions", RuleRequest.PERMISSIONS),
            fields.objects("rules", RuleRequest.RULES, RuleRequest::read),
            Timestamps.read(fields, "expires_at"),
            fields.flag("can_create_expiring_applications"));
    fields.refuseOthers();
    return request;
  }

  ApplicationDraft toDraft() {
    return new ApplicationDraft(
        name,
        type,
        new AccessPolicyDraft(permissions, Drafts.each(rules, RuleRequest::toDraft)),
        expiresAt,
        canCreateExpiringApplications);
  }
}
