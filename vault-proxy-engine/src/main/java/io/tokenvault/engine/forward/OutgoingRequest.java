package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.HeaderNames;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A request as it goes over the wire, but for {@code Host} and the length of the body.
 *
 * @param destination whose origin the request goes to; its path and query do not matter here
 * @param path beginning with a slash, of the characters that RFC 3986 allows
 * @param query likewise, without the question mark
 * @param timeout how long to wait for the answer; empty: as long as for any other
 * @param clientCertificate which of {@link ClientCertificates} the destination may ask for; empty:
 *     none
 */
public record OutgoingRequest(
    String method,
    Destination destination,
    String path,
    Optional<String> query,
    List<HeaderField> headers,
    Optional<OutgoingBody> body,
    Optional<Duration> timeout,
    Optional<String> clientCertificate) {

  /**
   * @throws ValidationException if a header could become another one on the wire
   */
  public OutgoingRequest {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(query, "query");
    headers = List.copyOf(headers);
    if (headers.stream().anyMatch(field -> HeaderNames.splits(field.value()))) {
      throw ValidationException.of(
          "error", "The value of a header must not hold line breaks or NUL.");
    }
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(clientCertificate, "clientCertificate");
  }

  /** The method only: everything else can be secret. */
  @Override
  public String toString() {
    return "OutgoingRequest[" + method + "]";
  }
}
