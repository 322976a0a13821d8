package io.tokenvault.adapters.http;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.application.ApplicationUpdate;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;

/** The body that replaces an application's settings (interface, section 4). */
record ApplicationUpdateRequest(
    @NotBlank(message = Required.NAME) String name,
    @Size(max = AccessPolicyDraft.MAX_PERMISSIONS, message = "must be at most {max}")
        List<String> permissions,
    @Size(max = AccessPolicyDraft.MAX_RULES, message = "must be at most {max}")
        List<@Valid RuleRequest> rules,
    Boolean canCreateExpiringApplications) {

  static ApplicationUpdateRequest read(JsonFields fields) {
    ApplicationUpdateRequest request =
        new ApplicationUpdateRequest(
            fields.text("name"),
            fields.texts("permissions"),
            fields.objects("rules", RuleRequest::read),
            fields.flag("can_create_expiring_applications"));
    fields.refuseOthers();
    return request;
  }

  ApplicationUpdate toUpdate() {
    return new ApplicationUpdate(
        name,
        new AccessPolicyDraft(permissions, Drafts.each(rules, RuleRequest::toDraft)),
        canCreateExpiringApplications);
  }
}
