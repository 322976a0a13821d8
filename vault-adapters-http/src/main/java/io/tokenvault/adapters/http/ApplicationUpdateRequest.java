package io.tokenvault.adapters.http;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.UnchangedFields;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.util.List;

/** The body that replaces an application's settings (interface, section 4); what was read fits. */
record ApplicationUpdateRequest(
    @NotBlank(message = Shapes.NAME) String name,
    List<String> permissions,
    List<@Valid RuleRequest> rules,
    Boolean canCreateExpiringApplications,
    UnchangedFields unchanged) {

  static ApplicationUpdateRequest read(JsonFields fields) {
    ApplicationUpdateRequest request =
        new ApplicationUpdateRequest(
            fields.text("name"),
            fields.texts("permissions", RuleRequest.PERMISSIONS),
            fields.objects("rules", RuleRequest.RULES, RuleRequest::read),
            fields.flag("can_create_expiring_applications"),
            SentBack.ofApplication(fields));
    fields.refuseOthers();
    return request;
  }

  ApplicationUpdate toUpdate() {
    return new ApplicationUpdate(
        name,
        new AccessPolicyDraft(permissions, Drafts.each(rules, RuleRequest::toDraft)),
        canCreateExpiringApplications,
        unchanged);
  }
}
