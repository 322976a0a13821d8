package io.tokenvault.adapters.http.trace;

import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.ports.api.ServiceHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.jetty.server.Request;

/**
 * The id of a request, which every response carries as a header and every problem as its {@code
 * instance}.
 *
 * <p>It is the value of the caller's trace id header if that is 1 to 100 printable ASCII
 * characters, else the trace id of the caller's {@code traceparent}, else a random UUID.
 */
public record TraceId(String value) {

  private static final String ATTRIBUTE = "io.tokenvault.trace";
  private static final String URN_PREFIX = "urn:tokenvault:trace:";
  private static final int MAX_LENGTH = 100;

  /**
   * Returns the id of a request. All calls for one request return the same id, also for a request
   * that Jetty rejected.
   *
   * @param headers names the header of the trace id
   */
  public static TraceId of(Request request, ServiceHeaders headers) {
    if (request.getAttribute(ATTRIBUTE) instanceof TraceId known) {
      return known;
    }
    TraceId fresh =
        Optional.ofNullable(request.getHeaders().get(headers.traceId()))
            .filter(TraceId::isAcceptable)
            .map(TraceId::new)
            .or(() -> TraceContext.of(request).map(context -> new TraceId(context.traceId())))
            .orElseGet(TraceId::random);
    request.setAttribute(ATTRIBUTE, fresh);
    return fresh;
  }

  private static TraceId random() {
    return new TraceId(UUID.randomUUID().toString());
  }

  /** Returns whether the value is short and printable, so that it cannot forge lines of a log. */
  private static boolean isAcceptable(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_LENGTH
        && text.chars().allMatch(character -> character >= ' ' && character <= '~');
  }

  /** Returns the id as a URN (RFC 8141), with reserved characters percent-encoded. */
  public String urn() {
    return URN_PREFIX + PercentEncoding.encode(value, StandardCharsets.UTF_8);
  }
}
