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
 * A request exactly as it is sent, except for {@code Host} and the length of the body, which are
 * added.
 *
 * @param destination its origin receives the request; its own path and query are ignored
 * @param path starting with a slash, of the characters that RFC 3986 allows
 * @param query of the characters that RFC 3986 allows, without the question mark
 * @param headers in UTF-8, in order
 * @param timeout limit for the response; empty for the default
 * @param clientCertificate name of one of {@link ClientCertificates}; empty for none
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
   * Creates a request whose headers cannot be split.
   *
   * @throws ValidationException if a header's value contains a line break or NUL
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

  /** Returns the method only: every other part can be secret. */
  @Override
  public String toString() {
    return "OutgoingRequest[" + method + "]";
  }
}
