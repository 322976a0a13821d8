package io.tokenvault.adapters.http.resource;

import io.javalin.http.Context;
import io.tokenvault.adapters.http.request.RequestReader;
import io.tokenvault.adapters.http.response.ApiResponse;
import io.tokenvault.adapters.http.response.EntityTags;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests.Outcome;
import io.tokenvault.ports.usecase.idempotency.RecordedResponse;
import io.tokenvault.ports.usecase.idempotency.SentRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Executes requests with an idempotency key at most once, and replays the recorded response to
 * their retries.
 *
 * <p>A retry is a request with the same key, method, path, query, precondition and body. A replayed
 * response is marked by a header.
 */
public final class IdempotencyFilter {

  /**
   * The header of the IETF's draft, which clients may send instead of the service's own. On the
   * proxy, it belongs to the destination.
   */
  private static final String ALIAS = "Idempotency-Key";

  private static final String CONTENT_TYPE = "Content-Type";

  /** The number of copies of a response body in memory while it is recorded. */
  private static final long COPIES = 6;

  private final IdempotentRequests requests;
  private final ServiceHeaders headers;
  private final RequestReader bodies;

  /**
   * Creates the filter.
   *
   * @param requests executes requests and records their responses
   * @param headers names the idempotency header and the header that marks replays
   * @param bodies reads bodies, which are compared with those of earlier requests
   */
  public IdempotencyFilter(
      IdempotentRequests requests, ServiceHeaders headers, RequestReader bodies) {
    this.requests = requests;
    this.headers = headers;
    this.bodies = bodies;
  }

  /** Returns whether the request has an idempotency key, which may be invalid. */
  boolean hasKey(Context context) {
    return !keys(context).isEmpty();
  }

  /** Returns all values of both headers. If the two agree, they count as one. */
  private List<String> keys(Context context) {
    List<String> keys = Collections.list(context.req().getHeaders(headers.idempotencyKey()));
    List<String> aliases = Collections.list(context.req().getHeaders(ALIAS));
    return keys.equals(aliases) ? keys : Stream.concat(keys.stream(), aliases.stream()).toList();
  }

  /**
   * Runs the action and records its response, or returns the response that was recorded before.
   *
   * @param caller the authenticated caller, who is authorized again before a replay
   * @param requirement what the route requires of callers
   * @param action executes the request; not called for a replay
   * @throws io.tokenvault.domain.failure.ValidationException if the header is not a valid key
   */
  ApiResponse respond(
      Context context,
      Caller caller,
      Requirement requirement,
      Supplier<IdempotentResponse> action) {
    Optional<IdempotencyKey> key = IdempotencyKey.read(headers.idempotencyKey(), keys(context));
    SentRequest sent =
        new SentRequest(
            key.orElseThrow(),
            context.req().getMethod(),
            context.req().getRequestURI(),
            rest(context),
            bodies.keepBytes(context));
    MemoryReservation reservation = bodies.reservation(context);
    Outcome outcome =
        requests.once(
            caller, requirement, sent, reservation, () -> toRecord(action.get(), reservation));
    ApiResponse response = toSend(outcome.response());
    return outcome.isReplay() ? response.with(headers.idempotencyRepeat(), "true") : response;
  }

  /**
   * Returns the query and the precondition, which distinguish a request besides its path and body.
   */
  private static List<String> rest(Context context) {
    List<String> rest = new ArrayList<>();
    rest.add(Optional.ofNullable(context.queryString()).orElse(""));
    rest.addAll(Collections.list(context.req().getHeaders(EntityTags.IF_MATCH)));
    return rest;
  }

  /**
   * Converts a response to its recorded form, after reserving memory for the copies that this
   * takes.
   */
  private static RecordedResponse toRecord(
      IdempotentResponse idempotent, MemoryReservation reservation) {
    ApiResponse response = idempotent.response();
    reservation.take(
        COPIES * response.body().map(body -> body.bytes().length).orElse(0).longValue());
    List<HeaderField> fields = new ArrayList<>();
    response.headers().forEach((name, value) -> fields.add(new HeaderField(name, value)));
    response
        .body()
        .ifPresent(body -> fields.add(new HeaderField(CONTENT_TYPE, body.contentType())));
    return new RecordedResponse(
        response.status(),
        fields,
        response.body().map(body -> SensitiveValue.of(body.bytes())),
        idempotent.isRecorded(),
        idempotent.isShortLived(),
        idempotent.subjects());
  }

  /** Converts a recorded response to one that can be sent. */
  private static ApiResponse toSend(RecordedResponse given) {
    Map<String, String> headers = new HashMap<>();
    given.headers().forEach(field -> headers.put(field.name(), field.value()));
    String type = Objects.requireNonNullElse(headers.remove(CONTENT_TYPE), ApiResponse.JSON);
    return new ApiResponse(
        given.status(), given.body().map(body -> new ApiResponse.Body(type, body.open())), headers);
  }
}
