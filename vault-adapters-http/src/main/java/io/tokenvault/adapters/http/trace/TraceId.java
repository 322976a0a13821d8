package io.tokenvault.adapters.http.trace;

import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.ports.api.ServiceHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.jetty.server.Request;

/**
 * The name of one request, which every answer carries: given by the caller, or that of the trace
 * that the caller says it belongs to, or made here.
 */
public record TraceId(String value) {

  private static final String ATTRIBUTE = "io.tokenvault.trace";
  private static final String URN_PREFIX = "urn:tokenvault:trace:";
  private static final int MAX_LENGTH = 100;

  /** The same for each call with one request, also for one that the web server refused. */
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

  private static boolean isAcceptable(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_LENGTH
        && text.chars().allMatch(character -> character >= ' ' && character <= '~');
  }

  /** As a URN (RFC 8141); what may not stand in one is percent-encoded. */
  public String urn() {
    return URN_PREFIX + PercentEncoding.encode(value, StandardCharsets.UTF_8);
  }
}
