package io.tokenvault.adapters.http.response;

import io.tokenvault.adapters.http.exchange.TraceId;
import io.tokenvault.adapters.http.response.RejectedRequestException.Cause;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RateLimitedException;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.runtime.JsonCodec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Converts failures to problem responses (RFC 7807). This is the only place where failures receive
 * a status.
 *
 * <p>Known failures keep their message. Unexpected ones become status 500 with a fixed text, and
 * are logged under the trace id.
 */
public final class ProblemMapper {

  private static final String PROBLEM_JSON = "application/problem+json";

  /** The value of {@code Retry-After} where no better estimate exists, in seconds. */
  public static final String SECONDS_TO_WAIT = "1";

  private final JsonCodec json;
  private final ServiceHeaders names;
  private final FaultLog log = new FaultLog();

  /**
   * Creates a mapper.
   *
   * @param names the names of the headers that messages mention
   */
  public ProblemMapper(JsonCodec json, ServiceHeaders names) {
    this.json = json;
    this.names = names;
  }

  /**
   * Returns the response to a failure of an API request.
   *
   * @param trace identifies the request in the problem and in the log
   */
  public ApiResponse response(Throwable failure, TraceId trace) {
    Problem problem = problem(failure, trace);
    return response(problem, PROBLEM_JSON, problem.toJson(trace));
  }

  /**
   * Returns the response to a failure of the proxy itself: the problem is wrapped in {@code
   * proxy_error}, so that callers can distinguish it from a destination's response (interface,
   * section 7).
   *
   * @param trace identifies the request in the problem and in the log
   */
  public ApiResponse proxyResponse(Throwable failure, TraceId trace) {
    Problem problem = problem(failure, trace);
    JsonObject wrapped = new JsonObject(Map.of("proxy_error", problem.toJson(trace)));
    return response(problem, ApiResponse.JSON, wrapped);
  }

  private ApiResponse response(Problem problem, String contentType, JsonValue body) {
    return ApiResponse.of(problem.status(), contentType, json.write(body)).with(problem.headers());
  }

  /** Returns the problem for a failure, and logs what the caller must not see. */
  private Problem problem(Throwable failure, TraceId trace) {
    if (failure instanceof VaultException known) {
      log.noteCause(known, trace);
      return of(known);
    }
    if (failure instanceof RejectedRequestException refused) {
      return of(refused.rejection(), refused.getMessage(), refused.headers());
    }
    log.fault(failure, trace);
    return of(Cause.INTERNAL, "Internal error. Give the trace id to the operator.", Map.of());
  }

  private Problem of(VaultException failure) {
    return new Problem(
        failure.failure().urn(),
        failure.failure().title(),
        status(failure),
        detail(failure),
        errors(failure),
        headers(failure));
  }

  /** Returns the message, which names the header that a missing API key belongs in. */
  private String detail(VaultException failure) {
    return failure.failure() == FailureCause.MISSING_OR_INVALID_KEY
        ? failure.getMessage() + " Send it in the " + names.apiKey() + " header."
        : failure.getMessage();
  }

  /** Returns the messages by property path. */
  private static Map<String, List<String>> errors(VaultException failure) {
    if (failure instanceof ValidationException invalid) {
      return invalid.errors();
    }
    return failure instanceof TransformFailedException failed ? failed.errors() : Map.of();
  }

  private static Problem of(Cause cause, String detail, Map<String, String> headers) {
    return new Problem(cause.urn(), cause.title(), cause.status(), detail, Map.of(), headers);
  }

  /** Returns the status of a failure. The author of a transform can choose it. */
  private static int status(VaultException failure) {
    return failure instanceof TransformFailedException failed
        ? failed.status()
        : failure.code().status();
  }

  /** Returns the headers that HTTP requires or recommends for the status. */
  private static Map<String, String> headers(VaultException failure) {
    if (failure instanceof RateLimitedException limited) {
      Map<String, String> headers = new HashMap<>();
      headers.put("Retry-After", Long.toString(limited.retryAfterSeconds()));
      limited.allowance().map(RateLimitHeaders::of).ifPresent(headers::putAll);
      return headers;
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

  /**
   * A failure in the form that callers see (RFC 7807).
   *
   * @param errors the messages by property path; empty unless a validation or transform failed
   * @param headers the headers of the response besides those of its body
   */
  private record Problem(
      String type,
      String title,
      int status,
      String detail,
      Map<String, List<String>> errors,
      Map<String, String> headers) {

    JsonObject toJson(TraceId trace) {
      Map<String, JsonValue> properties = new LinkedHashMap<>();
      properties.put("type", JsonValue.of(type));
      properties.put("title", JsonValue.of(title));
      properties.put("status", JsonValue.of(status));
      properties.put("detail", JsonValue.of(detail));
      properties.put("instance", JsonValue.of(trace.urn()));
      if (!errors.isEmpty()) {
        properties.put("errors", errorsJson());
      }
      return new JsonObject(properties);
    }

    private JsonObject errorsJson() {
      Map<String, JsonValue> properties = new LinkedHashMap<>();
      errors.forEach(
          (path, messages) ->
              properties.put(path, new JsonArray(messages.stream().map(JsonValue::of).toList())));
      return new JsonObject(properties);
    }
  }

  /**
   * Logs failures by the classes of their exceptions and their stack frames. Messages of exceptions
   * are never logged, since they can quote sensitive data.
   */
  static final class FaultLog {

    private static final Logger LOG = LoggerFactory.getLogger(FaultLog.class);
    private static final int MAX_CAUSES = 8;
    private static final int MAX_FRAMES = 40;

    /** Logs an unexpected failure with its causes. */
    void fault(Throwable fault, TraceId trace) {
      LOG.error("Request {} failed:{}", trace.value(), describe(fault, MAX_FRAMES));
    }

    /** Logs the cause of an expected failure, if it has one. */
    void noteCause(VaultException failure, TraceId trace) {
      if (failure.getCause() != null) {
        LOG.warn(
            "Request {} failed with {}:{}",
            trace.value(),
            failure.failure(),
            describe(failure.getCause(), 1));
      }
    }

    /** Returns the classes and frames of an exception and its causes, at most eight of them. */
    static String describe(Throwable fault, int maxFrames) {
      StringBuilder text = new StringBuilder();
      Throwable each = fault;
      for (int i = 0; each != null && i < MAX_CAUSES; i++) {
        text.append(i == 0 ? "\n" : "\ncaused by ").append(each.getClass().getName());
        appendFrames(text, each.getStackTrace(), maxFrames);
        each = each.getCause();
      }
      return text.toString();
    }

    private static void appendFrames(
        StringBuilder text, StackTraceElement[] frames, int maxFrames) {
      for (int i = 0; i < Math.min(maxFrames, frames.length); i++) {
        text.append("\n    at ").append(frames[i]);
      }
    }
  }
}
