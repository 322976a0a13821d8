package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.store.model.ResponseSubject;
import java.util.List;
import java.util.Optional;

/**
 * A response that may be replayed.
 *
 * @param body empty if there is none, or it must not be stored
 * @param isWhole whether the body is complete; otherwise it was not stored
 * @param isShortLived whether it may show the short-lived part of a token's data
 * @param subjects the resources that it shows
 */
public record RecordedResponse(
    int status,
    List<HeaderField> headers,
    Optional<SensitiveValue> body,
    boolean isWhole,
    boolean isShortLived,
    List<ResponseSubject> subjects) {

  public RecordedResponse {
    headers = List.copyOf(headers);
    subjects = List.copyOf(subjects);
  }

  /** Returns the status only, because every other part can be secret. */
  @Override
  public String toString() {
    return "RecordedResponse[" + status + "]";
  }
}
