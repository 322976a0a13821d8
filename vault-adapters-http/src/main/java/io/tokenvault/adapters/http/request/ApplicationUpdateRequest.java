package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.UnchangedFields;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.util.List;

/**
 * The body that replaces the settings of an application (interface, section 4). A client may send
 * back the response of a read with changes, read-only fields included.
 *
 * @param unchanged the read-only fields that were sent; they must have their stored values
 */
public record ApplicationUpdateRequest(
    @NotBlank(message = RequestValidator.NAME) String name,
    List<String> permissions,
    List<@Valid AccessRuleRequest> rules,
    Boolean canCreateExpiringApplications,
    UnchangedFields unchanged) {

  /** Reads the body; fields of other types and unknown fields become violations. */
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

  /** Returns the update, which the use case compares with the stored application. */
  public ApplicationUpdate toUpdate() {
    return new ApplicationUpdate(
        name,
        new AccessPolicyDraft(permissions, DraftParser.each(rules, AccessRuleRequest::toDraft)),
        canCreateExpiringApplications,
        unchanged);
  }
}
