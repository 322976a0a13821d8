package io.tokenvault.adapters.http.trace;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;

/**
 * The position of a request in the caller's distributed trace (W3C Trace Context).
 *
 * @param traceparent the header value in the form of version 00: version, trace id, span id and
 *     flags, separated by dashes
 */
public record TraceContext(String traceparent) {

  /**
   * The names of the trace headers, in lower case. The proxy forwards them only if the operator
   * enables it.
   */
  public static final Set<String> HEADERS = Set.of("traceparent", "tracestate");

  private static final String PARENT = "traceparent";

  // Version, trace id, span id, flags. Neither id is all zeros, and the version is not ff.
  private static final Pattern SHAPE =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private static final int TRACE_START = 3;
  private static final int TRACE_END = 35;
  private static final int LENGTH = 55;

  /** Returns the trace context of a request; empty if the header is missing or invalid. */
  public static Optional<TraceContext> of(Request request) {
    String sent = request.getHeaders().get(PARENT);
    if (sent == null || sent.length() < LENGTH) {
      return Optional.empty();
    }
    String known = sent.substring(0, LENGTH);
    boolean goesOn = sent.length() > LENGTH;
    // Later versions may append more fields after a dash; version 00 ends here.
    return SHAPE.matcher(known).matches()
            && (!goesOn || (!known.startsWith("00") && sent.charAt(LENGTH) == '-'))
        ? Optional.of(new TraceContext(known))
        : Optional.empty();
  }

  /** Returns the trace id: 32 hexadecimal digits. */
  String traceId() {
    return traceparent.substring(TRACE_START, TRACE_END);
  }
}
