package io.tokenvault.adapters.http.exchange;

import io.tokenvault.domain.request.PercentEncoding;
import io.tokenvault.ports.api.ServiceHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.jetty.server.Request;

/**
 * The id of a request, which every response carries as a header and every problem as its {@code
 * instance}.
 *
 * <p>It is the value of the caller's trace id header if that is 1 to 100 printable ASCII
 * characters, else the trace id of the vault's own span or of the caller's {@code traceparent} (W3C
 * Trace Context), else a random UUID.
 */
public record TraceId(String value) {

  /**
   * The names of the trace headers, in lower case. The proxy forwards them only if the operator
   * enables it.
   */
  public static final Set<String> TRACE_HEADERS = Set.of("traceparent", "tracestate");

  private static final String ATTRIBUTE = "io.tokenvault.trace";
  private static final String TRACEPARENT = "io.tokenvault.traceparent";
  private static final String URN_PREFIX = "urn:tokenvault:trace:";
  private static final int MAX_LENGTH = 100;
  // Version, trace id, span id, flags. Neither id is all zeros, and the version is not ff.
  private static final Pattern PARENT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
  private static final int PARENT_LENGTH = 55;
  private static final int ID_START = 3;
  private static final int ID_END = 35;

  /**
   * Returns the id of a request. All calls for one request return the same id, also for a request
   * that Jetty rejected.
   *
   * @param headers names the header of the trace id
   */
  public static TraceId of(Request request, ServiceHeaders headers) {
    return known(request).orElseGet(() -> create(request, headers));
  }

  /** Sets the id of a request whose headers Jetty has discarded, if the value is acceptable. */
  public static void restore(Request request, String sent) {
    if (isAcceptable(sent) && known(request).isEmpty()) {
      request.setAttribute(ATTRIBUTE, new TraceId(sent));
    }
  }

  /** Returns the id of a request if it has one already. */
  static Optional<TraceId> known(Request request) {
    return request.getAttribute(ATTRIBUTE) instanceof TraceId known
        ? Optional.of(known)
        : Optional.empty();
  }

  private static TraceId create(Request request, ServiceHeaders headers) {
    String value =
        Optional.ofNullable(request.getHeaders().get(headers.traceId()))
            .filter(TraceId::isAcceptable)
            .or(() -> traceparent(request).map(parent -> parent.substring(ID_START, ID_END)))
            .orElseGet(() -> UUID.randomUUID().toString());
    TraceId created = new TraceId(value);
    request.setAttribute(ATTRIBUTE, created);
    return created;
  }

  /** Returns whether the value is short and printable, so that it cannot forge lines of a log. */
  private static boolean isAcceptable(String text) {
    return !text.isEmpty()
        && text.length() <= MAX_LENGTH
        && text.chars().allMatch(character -> character >= ' ' && character <= '~');
  }

  /** Sets the position of the vault's own span, which replaces that of the caller. */
  static void setTraceparent(Request request, String own) {
    request.setAttribute(TRACEPARENT, own);
  }

  /**
   * Returns the position of a request in a distributed trace, in the form of version 00: of the
   * vault's span if it has one, else of the caller's. Empty if the header {@code traceparent} is
   * missing or invalid.
   */
  public static Optional<String> traceparent(Request request) {
    return request.getAttribute(TRACEPARENT) instanceof String own
        ? Optional.of(own)
        : sentTraceparent(request);
  }

  private static Optional<String> sentTraceparent(Request request) {
    String sent = request.getHeaders().get("traceparent");
    if (sent == null || sent.length() < PARENT_LENGTH) {
      return Optional.empty();
    }
    String known = sent.substring(0, PARENT_LENGTH);
    boolean isLonger = sent.length() > PARENT_LENGTH;
    // Later versions may append more fields after a dash; version 00 ends here.
    return PARENT.matcher(known).matches()
            && (!isLonger || (!known.startsWith("00") && sent.charAt(PARENT_LENGTH) == '-'))
        ? Optional.of(known)
        : Optional.empty();
  }

  /** Returns the id as a URN (RFC 8141), with reserved characters percent-encoded. */
  public String urn() {
    return URN_PREFIX + PercentEncoding.encode(value, StandardCharsets.UTF_8);
  }
}
