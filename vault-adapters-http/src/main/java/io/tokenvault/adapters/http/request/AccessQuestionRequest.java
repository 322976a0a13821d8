package io.tokenvault.adapters.http.request;

import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.usecase.authorization.AccessQuestion;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** The body that asks what an application may do. */
public record AccessQuestionRequest(
    @NotNull(message = RequestValidator.REQUIRED) UUID applicationId,
    @NotNull(message = RequestValidator.REQUIRED) String permission,
    String tokenId,
    String container) {

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

  /** Nothing: what a client wrote by mistake can be secret. */
  @Override
  public String toString() {
    return "AccessQuestionRequest[redacted]";
  }
}
