package io.tokenvault.engine.transform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.exchange.InvocationRecorder;
import io.tokenvault.engine.exchange.RequestTarget;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.OutgoingRequest;
import io.tokenvault.engine.transform.TransformHost.FailedCalls;
import io.tokenvault.engine.transform.content.ContentCoding;
import io.tokenvault.engine.transform.content.Headers;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends the requests that transforms make with {@code fetch}.
 *
 * <p>The same egress policy, header rules and exact-URL check apply as for the proxy's own
 * requests, and each fetch is recorded in the audit log before it is sent. Redirects are not
 * followed, no request is sent twice, and no client certificate is presented. Thread-safe.
 */
public final class TransformFetch {

  private static final Set<String> REFUSED_METHODS = Set.of("CONNECT", "TRACE", "TRACK");
  private static final Pattern METHOD = Pattern.compile("[A-Za-z][A-Za-z-]{0,31}");

  /** The path (group 1) and query (group 2) of a URL. */
  private static final Pattern AFTER_HOST =
      Pattern.compile("[^:]*+://[^/?#]*+([^?#]*+)(?:\\?([^#]*+))?(?:#.*)?", Pattern.DOTALL);

  // The received and the returned text, each also in Base64.
  private static final int WORK = 4;

  private final ProxyInvocations invocations;
  private final InvocationRecorder ends;
  private final EgressPolicy policy;
  private final Forwarder forwarder;
  private final HeaderRules rules;
  private final int limit;

  /**
   * Creates a sender.
   *
   * @param limit the greatest size of a request or response body, in bytes
   */
  public TransformFetch(
      ProxyInvocations invocations,
      InvocationRecorder ends,
      EgressPolicy policy,
      Forwarder forwarder,
      HeaderRules rules,
      int limit) {
    this.invocations = invocations;
    this.ends = ends;
    this.policy = policy;
    this.forwarder = forwarder;
    this.rules = rules;
    this.limit = limit;
  }

  /**
   * Sends a request and returns the response as JSON.
   *
   * @param json the request, as {@code FromWorker.Call} describes it
   * @param end cancels the exchange with the destination when the run ends
   * @param failedCalls records whether the audit entry could not be written
   * @return an object with {@code status}, {@code url}, {@code headers} (a list of pairs) and
   *     {@code body} (Base64)
   * @throws VaultException if the request is invalid, its destination is not allowed, or the
   *     exchange fails
   */
  String fetch(Exchange exchange, String json, CallerPresence end, FailedCalls failedCalls) {
    try (BodyMemoryBudget.Reservation memory = exchange.memory().openAnother()) {
      memory.reserve(json.length());
      JsonNode wanted = readArguments(json);
      OutgoingRequest request = request(wanted);
      failedCalls.callRecordingFailure(() -> begin(exchange, request.destination()));
      try (ProxyResponse response = send(exchange, request, end)) {
        return reply(wanted.path("url").asText(), response, memory);
      } catch (IOException cutShort) {
        throw new RefusedException(
            FailureCause.DESTINATION_BROKE_OFF,
            request.destination().host() + " ended its response early.");
      }
    }
  }

  /** Sends the request; a failure is recorded in the audit log and rethrown. */
  private ProxyResponse send(Exchange exchange, OutgoingRequest request, CallerPresence end) {
    try {
      return forwarder.send(request, end);
    } catch (VaultException failed) {
      ends.recordFailedFetch(exchange, failed.outcome());
      throw failed;
    }
  }

  /** Records the start of the fetch; nothing is sent if that fails. */
  private Destination begin(Exchange exchange, Destination target) {
    invocations.beginFetch(exchange.admission(), exchange.destination(), target);
    return target;
  }

  /**
   * Reads the arguments of a fetch.
   *
   * @throws ValidationException if they are not JSON
   */
  public static JsonNode readArguments(String json) {
    try {
      return Json.read(json);
    } catch (UnusableContentException malformed) {
      throw invalid("The arguments of fetch are invalid.");
    }
  }

  /** Builds the outgoing request and checks its destination, path, method and body. */
  private OutgoingRequest request(JsonNode wanted) {
    String url = wanted.path("url").asText();
    Destination destination = OutgoingRequest.destination(url.split("#", 2)[0], policy, "The URL");
    RequestTarget target = target(url);
    target.requireNoDotSegment();
    String method = method(wanted.path("method").asText("GET"));
    Optional<byte[]> body = body(wanted.path("body"));
    if (body.isPresent() && BodyRules.isBodyless(method)) {
      throw invalid("GET and HEAD requests must not have a body.");
    }
    return new OutgoingRequest(
        method,
        destination,
        target.path(),
        target.query(),
        headers(wanted.path("headers")),
        body.flatMap(bytes -> InvocationBody.complete(bytes).take()),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Returns path and query exactly as written, including repeated slashes, which {@code
   * Destination} does not keep.
   */
  private static RequestTarget target(String url) {
    Matcher parts = AFTER_HOST.matcher(url);
    if (!parts.matches()) {
      throw new RefusedException(FailureCause.DESTINATION_INVALID, "The URL must be an https URL.");
    }
    String path = parts.group(1);
    return RequestTarget.of(path.isEmpty() ? "/" : path, Optional.ofNullable(parts.group(2)));
  }

  private static String method(String named) {
    // Checked before any other use, since the script may pass a string of any length.
    String method = METHOD.matcher(named).matches() ? named.toUpperCase(Locale.ROOT) : "";
    if (method.isEmpty() || REFUSED_METHODS.contains(method)) {
      throw invalid("The method is not supported.");
    }
    return method;
  }

  /** Decodes the body; empty if the request has none. */
  private Optional<byte[]> body(JsonNode base64) {
    if (base64.isMissingNode() || base64.isNull()) {
      return Optional.empty();
    }
    byte[] body;
    try {
      body = Base64.getDecoder().decode(base64.asText());
    } catch (IllegalArgumentException malformed) {
      throw invalid("The body is not Base64.");
    }
    if (body.length > limit) {
      throw new RefusedException(FailureCause.BODY_TOO_LARGE, "The body is too large.");
    }
    return Optional.of(body);
  }

  private List<HeaderField> headers(JsonNode pairs) {
    List<HeaderField> fields = new ArrayList<>();
    for (JsonNode pair : pairs) {
      fields.add(new HeaderField(pair.path(0).asText(), pair.path(1).asText()));
    }
    return rules.toDestination(fields);
  }

  /**
   * Reads the response and writes it as JSON, within the limit and the memory of the invocation.
   */
  private String reply(String url, ProxyResponse response, BodyMemoryBudget.Reservation memory)
      throws IOException {
    List<HeaderField> headers = rules.endToEnd(response.headers());
    byte[] received = InvocationBody.read(response.body(), response.bodyLength(), limit, memory);
    if (received.length > limit) {
      throw tooLarge();
    }
    byte[] body = unpacked(headers, received, memory);
    memory.reserve((long) WORK * body.length);
    return writeReply(url, response.status(), headers, body);
  }

  /** Returns a response as JSON: status, URL, header pairs, and the body in Base64. */
  public static String writeReply(String url, int status, List<HeaderField> headers, byte[] body) {
    ObjectNode reply = Json.object();
    reply.put("status", status).put("url", url);
    ArrayNode pairs = reply.putArray("headers");
    headers.forEach(field -> pairs.addArray().add(field.name()).add(field.value()));
    reply.put("body", Base64.getEncoder().encodeToString(body));
    return Json.write(reply);
  }

  /**
   * Decodes a known content coding, as {@code fetch} of Node.js does; another one is left as it is.
   */
  private byte[] unpacked(
      List<HeaderField> headers, byte[] body, BodyMemoryBudget.Reservation memory)
      throws IOException {
    Optional<ContentCoding> coding = ContentCoding.of(Headers.value(headers, "Content-Encoding"));
    try {
      return body.length > 0 && coding.isPresent()
          ? coding.get().unpack(body, limit, memory)
          : body;
    } catch (ContentCoding.TooLargeException tooLarge) {
      throw tooLarge();
    }
  }

  private static RefusedException tooLarge() {
    return new RefusedException(FailureCause.ANSWER_ENCODED, "The fetched response is too large.");
  }

  private static ValidationException invalid(String why) {
    return ValidationException.of("error", why);
  }
}
