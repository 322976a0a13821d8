package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessRuleDraft;
import io.tokenvault.domain.access.ConditionDraft;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.request.UnchangedFields;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

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

  /**
   * An access rule in the body of a request; any component is null if it was omitted.
   *
   * @param priority 1 or more; a rule with a lower number is evaluated first
   * @param container the container of the tokens that the rule applies to; for public and private
   *     applications
   * @param conditions the tests of token attributes, at most 20; for expiring applications
   * @param transform how the tokens are shown, such as {@code mask}
   * @param permissions the permissions that the rule grants, 1 to 50
   */
  public record AccessRuleRequest(
      @NotNull(message = RequestValidator.REQUIRED) String description,
      @NotNull(message = RequestValidator.REQUIRED) @Min(value = 1, message = "must be 1 or more")
          Integer priority,
      String container,
      List<@Valid ConditionRequest> conditions,
      @NotNull(message = RequestValidator.REQUIRED) String transform,
      @NotNull(message = RequestValidator.REQUIRED) @Size(min = 1, message = "must not be empty")
          List<String> permissions) {

    /** Limits the permissions of a rule or an application. */
    static final SizeLimit PERMISSIONS = SizeLimit.items(AccessPolicyDraft.MAX_PERMISSIONS);

    /** Limits the rules of an application. */
    static final SizeLimit RULES = SizeLimit.items(AccessPolicyDraft.MAX_RULES);

    private static final SizeLimit CONDITIONS = SizeLimit.items(AccessRuleDraft.MAX_CONDITIONS);

    /** Reads a rule; fields of other types and unknown fields become violations. */
    public static AccessRuleRequest read(JsonFields fields) {
      AccessRuleRequest rule =
          new AccessRuleRequest(
              fields.text("description"),
              fields.integer("priority"),
              fields.text("container"),
              fields.objects("conditions", CONDITIONS, ConditionRequest::read),
              fields.text("transform"),
              fields.texts("permissions", PERMISSIONS));
      fields.refuseOthers();
      return rule;
    }

    AccessRuleDraft toDraft() {
      List<ConditionDraft> drafts = drafts(conditions, ConditionRequest::toDraft);
      return new AccessRuleDraft(description, priority, container, drafts, transform, permissions);
    }

    /** Converts each item of a list. A null list stays null, and so do null items. */
    static <A, B> List<B> drafts(List<A> parts, Function<A, B> mapping) {
      if (parts == null) {
        return null;
      }
      List<B> drafts = new ArrayList<>(parts.size());
      for (A part : parts) {
        drafts.add(part == null ? null : mapping.apply(part));
      }
      return drafts;
    }

    /**
     * A condition of an access rule in the body of a request: a token attribute is compared with a
     * value.
     */
    record ConditionRequest(
        @NotNull(message = RequestValidator.REQUIRED) String attribute,
        @NotNull(message = RequestValidator.REQUIRED) String operator,
        @NotNull(message = RequestValidator.REQUIRED) String value) {

      static ConditionRequest read(JsonFields fields) {
        ConditionRequest condition =
            new ConditionRequest(
                fields.text("attribute"), fields.text("operator"), fields.text("value"));
        fields.refuseOthers();
        return condition;
      }

      ConditionDraft toDraft() {
        return new ConditionDraft(attribute, operator, value);
      }
    }
  }
}
