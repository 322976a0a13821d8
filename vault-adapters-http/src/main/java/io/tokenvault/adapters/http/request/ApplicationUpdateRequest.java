package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.UnchangedFields;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.util.List;

/** The body that replaces an application's settings (interface, section 4); what was read fits. */
public record ApplicationUpdateRequest(
    @NotBlank(message = RequestValidator.NAME) String name,
    List<String> permissions,
    List<@Valid AccessRuleRequest> rules,
    Boolean canCreateExpiringApplications,
    UnchangedFields unchanged) {

  public static ApplicationUpdateRequest read(JsonFields fields) {
    ApplicationUpdateRequest request =
        new ApplicationUpdateRequest(
            fields.text("name"),
            fields.texts("permissions", AccessRuleRequest.PERMISSIONS),
            fields.objects("rules", AccessRuleRequest.RULES, AccessRuleRequest::read),
            fields.flag("can_create_expiring_applications"),
            ReadOnlyFields.ofApplication(fields));
    fields.refuseOthers();
    return request;
  }

  public ApplicationUpdate toUpdate() {
    return new ApplicationUpdate(
        name,
        new AccessPolicyDraft(permissions, DraftParser.each(rules, AccessRuleRequest::toDraft)),
        canCreateExpiringApplications,
        unchanged);
  }
}
