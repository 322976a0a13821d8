package io.tokenvault.adapters.http;

import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.ports.usecase.AccessQuestion;
import jakarta.validation.constraints.NotNull;
import java.util.UUID;

/** The body that asks what an application may do. */
record AccessQuestionRequest(
    @NotNull(message = Shapes.REQUIRED) UUID applicationId,
    @NotNull(message = Shapes.REQUIRED) String permission,
    String tokenId,
    String container) {

  static AccessQuestionRequest read(JsonFields fields) {
    AccessQuestionRequest request =
        new AccessQuestionRequest(
            fields.uuid("application_id"),
            fields.text("permission"),
            fields.text("token_id"),
            fields.text("container"));
    fields.refuseOthers();
    return request;
  }

  AccessQuestion toQuestion() {
    return new AccessQuestion(applicationId, permission, tokenId, container);
  }

  /** Nothing: what a client wrote by mistake can be secret. */
  @Override
  public String toString() {
    return "AccessQuestionRequest[redacted]";
  }
}
