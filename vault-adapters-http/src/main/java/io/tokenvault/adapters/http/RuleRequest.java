package io.tokenvault.adapters.http;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.AccessRuleDraft;
import io.tokenvault.domain.access.ConditionDraft;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;

/** An access rule in a request body. */
record RuleRequest(
    @NotNull(message = Shapes.REQUIRED) String description,
    @NotNull(message = Shapes.REQUIRED) @Min(value = 1, message = "must be 1 or more")
        Integer priority,
    String container,
    List<@Valid ConditionRequest> conditions,
    @NotNull(message = Shapes.REQUIRED) String transform,
    @NotNull(message = Shapes.REQUIRED) @Size(min = 1, message = "must not be empty")
        List<String> permissions) {

  static final SizeLimit PERMISSIONS = SizeLimit.items(AccessPolicyDraft.MAX_PERMISSIONS);
  static final SizeLimit RULES = SizeLimit.items(AccessPolicyDraft.MAX_RULES);
  private static final SizeLimit CONDITIONS = SizeLimit.items(AccessRuleDraft.MAX_CONDITIONS);

  static RuleRequest read(JsonFields fields) {
    RuleRequest rule =
        new RuleRequest(
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
    List<ConditionDraft> drafts = Drafts.each(conditions, ConditionRequest::toDraft);
    return new AccessRuleDraft(description, priority, container, drafts, transform, permissions);
  }

  /** A condition of a rule in a request body. */
  record ConditionRequest(
      @NotNull(message = Shapes.REQUIRED) String attribute,
      @NotNull(message = Shapes.REQUIRED) String operator,
      @NotNull(message = Shapes.REQUIRED) String value) {

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
