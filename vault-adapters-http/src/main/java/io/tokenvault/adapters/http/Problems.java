package io.tokenvault.adapters.http;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RateLimitedException;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.spi.JsonCodec;
import java.util.List;
import java.util.Map;

/** The one place where failures become answers. */
final class Problems {

  private static final String PROBLEM_JSON = "application/problem+json";

  /** What {@code Retry-After} says. */
  static final String SECONDS_TO_WAIT = "1";

  private final JsonCodec json;
  private final FaultLog log = new FaultLog();

  Problems(JsonCodec json) {
    this.json = json;
  }

  /** The answer to a failure of the API. */
  Answer answer(Throwable failure, TraceId trace) {
    Problem problem = problem(failure, trace);
    return answer(problem, PROBLEM_JSON, problem.toJson(trace));
  }

  /** The answer to a failure of the proxy itself, wrapped (interface, section 7). */
  Answer proxyAnswer(Throwable failure, TraceId trace) {
    Problem problem = problem(failure, trace);
    JsonObject wrapped = new JsonObject(Map.of("proxy_error", problem.toJson(trace)));
    return answer(problem, Answer.JSON, wrapped);
  }

  private Answer answer(Problem problem, String contentType, JsonValue body) {
    Answer answer = Answer.of(problem.status(), contentType, json.write(body));
    for (Map.Entry<String, String> header : problem.headers().entrySet()) {
      answer = answer.with(header.getKey(), header.getValue());
    }
    return answer;
  }

  private Problem problem(Throwable failure, TraceId trace) {
    if (failure instanceof VaultException known) {
      log.noteCause(known, trace);
      return of(known);
    }
    if (failure instanceof EdgeException refused) {
      return of(refused.failure(), refused.getMessage(), refused.headers());
    }
    log.fault(failure, trace);
    return of(
        EdgeFailure.INTERNAL,
        "The request failed for no fault of yours; the operator finds the reason under the trace"
            + " id.",
        Map.of());
  }

  private static Problem of(VaultException failure) {
    return new Problem(
        failure.failure().urn(),
        failure.failure().title(),
        status(failure),
        failure.getMessage(),
        errors(failure),
        headers(failure));
  }

  private static Map<String, List<String>> errors(VaultException failure) {
    if (failure instanceof ValidationException invalid) {
      return invalid.errors();
    }
    return failure instanceof TransformFailedException failed ? failed.errors() : Map.of();
  }

  private static Problem of(EdgeFailure failure, String detail, Map<String, String> headers) {
    return new Problem(failure.urn(), failure.title(), failure.status(), detail, Map.of(), headers);
  }

  /** A transform's author can choose the status. */
  private static int status(VaultException failure) {
    return failure instanceof TransformFailedException failed
        ? failed.status()
        : failure.code().status();
  }

  private static Map<String, String> headers(VaultException failure) {
    if (failure instanceof RateLimitedException limited) {
      return Map.of("Retry-After", Long.toString(limited.retryAfterSeconds()));
    }
    if (failure.failure() == FailureCause.REQUEST_RUNNING) {
      return Map.of("Retry-After", SECONDS_TO_WAIT);
    }
    return switch (failure.code()) {
      case UNAUTHENTICATED -> Map.of("WWW-Authenticate", "ApiKey realm=\"token-vault\"");
      case LIMIT_EXCEEDED, UNAVAILABLE -> Map.of("Retry-After", SECONDS_TO_WAIT);
      case INVALID,
          FORBIDDEN,
          NOT_FOUND,
          CONFLICT,
          PRECONDITION_FAILED,
          TOO_LARGE,
          SCRIPT_FAILED,
          UPSTREAM_FAILED,
          UPSTREAM_TIMEOUT ->
          Map.of();
    };
  }
}
