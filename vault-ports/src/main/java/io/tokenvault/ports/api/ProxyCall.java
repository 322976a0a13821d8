package io.tokenvault.ports.api;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A proxy request as the caller sent it.
 *
 * @param method in upper case
 * @param path the path after {@code /proxy} as the caller encoded it; empty or starting with a
 *     slash
 * @param query the query after the question mark as the caller encoded it
 * @param headers all headers in their order, including the service's own
 * @param body read at most once, and only after the caller was authorized; empty if there is none
 * @param bodyLength in bytes, if the caller announced it
 * @param caller reports a disconnected caller, so that the request to the destination can be
 *     canceled
 * @param authenticated receives the subject of the call before the body is read, possibly several
 *     times; an exception from it rejects the request
 */
public record ProxyCall(
    String method,
    String path,
    Optional<String> query,
    List<HeaderField> headers,
    InputStream body,
    OptionalLong bodyLength,
    CallerPresence caller,
    Consumer<Subject> authenticated) {

  public ProxyCall {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(query, "query");
    headers = List.copyOf(headers);
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(bodyLength, "bodyLength");
    Objects.requireNonNull(caller, "caller");
    Objects.requireNonNull(authenticated, "authenticated");
  }

  /** Creates a call whose caller's connection and subject are not observed. */
  public ProxyCall(
      String method,
      String path,
      Optional<String> query,
      List<HeaderField> headers,
      InputStream body,
      OptionalLong bodyLength) {
    this(method, path, query, headers, body, bodyLength, CallerPresence.UNWATCHED, unused -> {});
  }

  /** Returns a copy with another stream of the identical body bytes. */
  public ProxyCall with(InputStream sameBody) {
    return new ProxyCall(method, path, query, headers, sameBody, bodyLength, caller, authenticated);
  }

  /** Returns the method only, because every other part can be secret. */
  @Override
  public String toString() {
    return "ProxyCall[" + method + "]";
  }
}
