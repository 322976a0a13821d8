package io.tokenvault.adapters.http.trace;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;

/**
 * Where a request stands in a trace of the caller's (W3C Trace Context).
 *
 * @param traceparent of the form of version 00
 */
public record TraceContext(String traceparent) {

  /** What destinations learn of it only if the operator wants them to. */
  public static final Set<String> HEADERS = Set.of("traceparent", "tracestate");

  private static final String PARENT = "traceparent";

  // Version, trace, span, flags. Neither id can be all zeros, nor the version ff.
  private static final Pattern SHAPE =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private static final int TRACE_START = 3;
  private static final int TRACE_END = 35;
  private static final int LENGTH = 55;

  /** Empty if none was sent, or one that means nothing. */
  public static Optional<TraceContext> of(Request request) {
    String sent = request.getHeaders().get(PARENT);
    if (sent == null || sent.length() < LENGTH) {
      return Optional.empty();
    }
    String known = sent.substring(0, LENGTH);
    boolean goesOn = sent.length() > LENGTH;
    // Later versions may have more behind a dash.
    return SHAPE.matcher(known).matches()
            && (!goesOn || (!known.startsWith("00") && sent.charAt(LENGTH) == '-'))
        ? Optional.of(new TraceContext(known))
        : Optional.empty();
  }

  String traceId() {
    return traceparent.substring(TRACE_START, TRACE_END);
  }
}
