package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.store.model.ResponseSubject;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An answer that may be given again.
 *
 * @param body empty if there is none, or it is not kept
 * @param isWhole whether the body is all that there was; otherwise it was not kept
 * @param isShortLived whether it may show the part of a token's data that goes before the token
 * @param subjects what it tells of
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
    Objects.requireNonNull(body, "body");
    subjects = List.copyOf(subjects);
  }

  /** One of which only the status is kept. */
  public static RecordedResponse statusOnly(int status) {
    return new RecordedResponse(status, List.of(), Optional.empty(), false, false, List.of());
  }

  /** The status only: everything else can be secret. */
  @Override
  public String toString() {
    return "RepeatableAnswer[" + status + "]";
  }
}
