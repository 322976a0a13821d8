package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.usecase.authorization.ExplainAccess.AccessQuestion;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/**
 * The body that asks whether an application may do something with a token or in a container, and
 * why.
 *
 * @param applicationId the application that the question is about
 * @param permission the permission, such as {@code token:read}
 * @param tokenId the token to decide on; null if omitted
 * @param container the container to decide on instead of a token; null if omitted
 */
public record AccessQuestionRequest(
    @NotNull(message = RequestValidator.REQUIRED) UUID applicationId,
    @NotNull(message = RequestValidator.REQUIRED) String permission,
    String tokenId,
    String container) {

  /** Reads the body; fields of other types and unknown fields become violations. */
  public static AccessQuestionRequest read(JsonFields fields) {
    AccessQuestionRequest request =
        new AccessQuestionRequest(
            fields.uuid("application_id"),
            fields.text("permission"),
            fields.text("token_id"),
            fields.text("container"));
    fields.refuseOthers();
    return request;
  }

  public AccessQuestion toQuestion() {
    return new AccessQuestion(applicationId, permission, tokenId, container);
  }

  /** Returns no values, since a client may have sent secrets by mistake. */
  @Override
  public String toString() {
    return "AccessQuestionRequest[redacted]";
  }
}
