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
 * A request to the proxy as it came from the caller.
 *
 * @param method upper case
 * @param path what follows {@code /proxy}, as the caller encoded it; empty or starting with a slash
 * @param query what follows the question mark, as the caller encoded it
 * @param headers all of them, in order, the service's own included
 * @param body read at most once, and only after the caller was admitted; empty if there is none
 * @param bodyLength in bytes, where the caller announced it
 * @param caller says when nobody waits for the answer any longer, so that no destination works on
 *     it
 * @param authenticated is told whose the call is before the body is read, possibly several times;
 *     its refusal is the answer
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

  /** Of a caller that nobody watches, as one of as many as there are. */
  public ProxyCall(
      String method,
      String path,
      Optional<String> query,
      List<HeaderField> headers,
      InputStream body,
      OptionalLong bodyLength) {
    this(method, path, query, headers, body, bodyLength, CallerPresence.UNWATCHED, unused -> {});
  }

  /** The same with a body that gives the same bytes. */
  public ProxyCall with(InputStream sameBody) {
    return new ProxyCall(method, path, query, headers, sameBody, bodyLength, caller, authenticated);
  }

  /** The method only: everything else can be secret. */
  @Override
  public String toString() {
    return "ProxyCall[" + method + "]";
  }
}
