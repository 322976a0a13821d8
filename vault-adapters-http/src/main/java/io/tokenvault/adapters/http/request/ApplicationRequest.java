package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.UnchangedFields;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import java.util.List;

/**
 * The body that creates an application (interface, section 4); any component is null if it was
 * omitted.
 *
 * @param name 1 to 200 characters, not blank
 * @param type the type of the application, such as {@code private}
 * @param permissions the permissions to grant to the application itself, at most 50
 * @param rules the access rules, at most 50
 * @param expiresAt when an expiring application ends; null for the default of one minute
 * @param canCreateExpiringApplications whether a private application may create expiring ones
 */
public record ApplicationRequest(
    @NotBlank(message = RequestValidator.NAME) String name,
    @NotNull(message = RequestValidator.REQUIRED) String type,
    List<String> permissions,
    List<@Valid AccessRuleRequest> rules,
    Instant expiresAt,
    Boolean canCreateExpiringApplications) {

  /** Reads the body; fields of other types and unknown fields become violations. */
  public static ApplicationRequest read(JsonFields fields) {
    ApplicationRequest request =
        new ApplicationRequest(
            fields.text("name"),
            fields.text("type"),
            fields.texts("permissions", AccessRuleRequest.PERMISSIONS),
            fields.objects("rules", AccessRuleRequest.RULES, AccessRuleRequest::read),
            fields.parsed("expires_at", Timestamps::read, Timestamps.SHAPE),
            fields.flag("can_create_expiring_applications"));
    requireKey(fields);
    fields.refuseOthers();
    return request;
  }

  /** Accepts the flag by which existing clients ask for the API key that every application has. */
  private static void requireKey(JsonFields fields) {
    if (Boolean.FALSE.equals(fields.flag("create_key"))) {
      fields.refuse("create_key", "must be true or omitted: every application has an API key");
    }
  }

  /** Returns the application as a draft, which the use case validates further. */
  public ApplicationDraft toDraft() {
    return new ApplicationDraft(
        name, type, policy(permissions, rules), expiresAt, canCreateExpiringApplications);
  }

  private static AccessPolicyDraft policy(List<String> permissions, List<AccessRuleRequest> rules) {
    return new AccessPolicyDraft(
        permissions, AccessRuleRequest.drafts(rules, AccessRuleRequest::toDraft));
  }

  /**
   * The body that replaces the settings of an application (interface, section 4). A client may send
   * back the response of a read with changes, read-only fields included.
   *
   * @param unchanged the read-only fields that were sent; they must have their stored values
   */
  public record Update(
      @NotBlank(message = RequestValidator.NAME) String name,
      List<String> permissions,
      List<@Valid AccessRuleRequest> rules,
      Boolean canCreateExpiringApplications,
      UnchangedFields unchanged) {

    /** Reads the body; fields of other types and unknown fields become violations. */
    public static Update read(JsonFields fields) {
      Update request =
          new Update(
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
          name, policy(permissions, rules), canCreateExpiringApplications, unchanged);
    }
  }
}
