package io.tokenvault.adapters.http.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.adapters.http.exchange.TraceId;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RateLimitedException;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.memory.SmallJsonCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemMapperTest {

  private static final TraceId TRACE = new TraceId("t/1");
  private static final String INSTANCE = "\"instance\":\"urn:tokenvault:trace:t%2F1\"";

  private final ProblemMapper problems =
      new ProblemMapper(new SmallJsonCodec(), ServiceHeaders.DEFAULT);

  /** Clients rely on these statuses and types: a change breaks the API. */
  @TestFactory
  Stream<DynamicTest> everyCauseHasItsStatusAndType() {
    String table =
        """
        VALIDATION_FAILED 400 validation-failed
        MISSING_OR_INVALID_KEY 401 unauthenticated
        PERMISSION_DENIED 403 forbidden
        NOT_FOUND 404 not-found
        TOKEN_ID_TAKEN 409 token-id-taken
        APPLICATION_IN_USE 409 application-in-use
        TOO_MANY_KEYS 409 too-many-keys
        REQUEST_RUNNING 409 request-running
        IDEMPOTENCY_KEY_USED 409 idempotency-key-used
        ALREADY_DONE 409 already-done
        OUTCOME_UNKNOWN 409 outcome-unknown
        TENANT_SHREDDED 409 tenant-shredded
        PRECONDITION_FAILED 412 precondition-failed
        BODY_TOO_LARGE 413 body-too-large
        STORE_UNAVAILABLE 503 unavailable
        OVERLOADED 503 overloaded
        RATE_LIMITED 429 rate-limited
        TOO_MANY_IN_PROGRESS 429 too-many-in-progress
        UNKNOWN_PROXY 404 unknown-proxy
        DESTINATION_INVALID 400 destination-invalid
        TOO_MANY_TOKENS 400 too-many-tokens
        UNKNOWN_TOKENS 400 unknown-tokens
        TOKENS_FORBIDDEN 403 tokens-forbidden
        TOKENS_BOUND 403 tokens-bound
        URL_HEADER_OFF 403 url-header-off
        DESTINATION_UNRESOLVED 502 dns-failed
        DESTINATION_UNREACHABLE 502 connect-failed
        DESTINATION_UNTRUSTED 502 tls-failed
        DESTINATION_BROKE_OFF 502 destination-broke-off
        CONNECT_TIMEOUT 504 connect-timeout
        ANSWER_TIMEOUT 504 answer-timeout
        TRANSFORM_FAILED 500 transform-failed
        TRANSFORM_LIMIT 500 transform-limit
        ANSWER_ENCODED 502 answer-encoded
        CALLER_GONE 400 caller-gone
        """;
    assertThat(table.lines()).hasSameSizeAs(FailureCause.values());
    return table.lines().map(row -> dynamicTest(row, () -> assertProblem(row.split(" "))));
  }

  private void assertProblem(String... row) {
    FailureCause cause = FailureCause.valueOf(row[0]);
    ApiResponse response = problems.response(new RefusedException(cause, "the \"detail\""), TRACE);

    assertThat(response.status()).isEqualTo(Integer.parseInt(row[1]));
    assertThat(response.body().orElseThrow().contentType()).isEqualTo("application/problem+json");
    String hint =
        cause == FailureCause.MISSING_OR_INVALID_KEY ? " Send it in the SVC-API-KEY header." : "";
    assertThat(text(response))
        .isEqualTo(
            """
            {"type":"urn:tokenvault:problem:%s","title":"%s","status":%s,\
            "detail":"the \\"detail\\"%s",%s}\
            """
                .formatted(row[2], cause.title(), row[1], hint, INSTANCE));
  }

  @ParameterizedTest
  @EnumSource(RejectedRequestException.Cause.class)
  void everyRejectedRequestCauseHasItsStatusAndType(RejectedRequestException.Cause failure) {
    ApiResponse response = problems.response(new RejectedRequestException(failure, "why"), TRACE);

    assertThat(response.status()).isEqualTo(failure.status());
    assertThat(text(response))
        .contains(failure.urn(), failure.title(), "\"detail\":\"why\"", INSTANCE);
    assertThat(RejectedRequestException.Cause.ofStatus(failure.status())).isEqualTo(failure);
  }

  @Test
  void unknownStatusMapsToMalformedRequestOrInternal() {
    assertThat(RejectedRequestException.Cause.ofStatus(499))
        .isEqualTo(RejectedRequestException.Cause.MALFORMED_REQUEST);
    assertThat(RejectedRequestException.Cause.ofStatus(599))
        .isEqualTo(RejectedRequestException.Cause.INTERNAL);
  }

  @Test
  void failedValidationListsAllErrorsByPath() {
    Violations violations =
        new Violations().add("name", "is required").add("name", "is bad").add("error", "whole");

    ApiResponse response = problems.response(new ValidationException(violations), TRACE);

    assertThat(response.status()).isEqualTo(400);
    assertThat(text(response))
        .contains("\"title\":\"One or more validation errors occurred.\"")
        .endsWith(",\"errors\":{\"name\":[\"is required\",\"is bad\"],\"error\":[\"whole\"]}}");
  }

  @Test
  void faultDetailsAreNeverDisclosed() {
    for (Throwable fault :
        new Throwable[] {
          new IllegalStateException("marker-4711", new RuntimeException("marker-4711")),
          new StackOverflowError("marker-4711"),
          new RefusedException(
              FailureCause.STORE_UNAVAILABLE, "try again", new RuntimeException("marker-4711"))
        }) {
      assertThat(text(problems.response(fault, TRACE))).doesNotContain("marker-4711");
      assertThat(text(problems.proxyResponse(fault, TRACE))).doesNotContain("marker-4711");
      assertThat(ProblemMapper.FaultLog.describe(fault, 5)).doesNotContain("marker-4711");
    }
    assertThat(problems.response(new IllegalStateException("x"), TRACE).status()).isEqualTo(500);
  }

  /** A retry after the rounded time is never too early. */
  @ParameterizedTest
  @CsvSource({"PT0.000000001S, 1", "PT1S, 1", "PT1.000000001S, 2", "PT59.5S, 60", "PT2M, 120"})
  void retryAfterIsRoundedUpToWholeSeconds(Duration wait, String seconds) {
    ApiResponse response =
        problems.response(new RateLimitedException("too many", wait, Optional.empty()), TRACE);

    assertThat(response.status()).isEqualTo(429);
    assertThat(response.headers()).containsEntry("Retry-After", seconds);
  }

  @Test
  void proxyErrorsAreWrapped() {
    ApiResponse response =
        problems.proxyResponse(new RefusedException(FailureCause.UNKNOWN_PROXY, "no"), TRACE);

    assertThat(response.status()).isEqualTo(404);
    assertThat(response.body().orElseThrow().contentType()).isEqualTo("application/json");
    assertThat(text(response))
        .startsWith("{\"proxy_error\":{\"type\":\"urn:tokenvault:problem:unknown-proxy\"")
        .endsWith("}}");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 429, 499, 500, 503, 599})
  void failedTransformHasStatusChosenByItsAuthor(int status) {
    Map<String, List<String>> errors = new LinkedHashMap<>();
    errors.put("card.number", List.of("is expired", "is stolen"));
    errors.put("error", List.of("no \"such\" customer"));
    TransformFailedException failure =
        new TransformFailedException(
            FailureCause.TRANSFORM_FAILED, status, "At line 3.", errors, 3);
    String problem =
        """
        {"type":"urn:tokenvault:problem:transform-failed","title":"The transform failed",\
        "status":%d,"detail":"At line 3.",%s,"errors":{"card.number":["is expired","is stolen"],\
        "error":["no \\"such\\" customer"]}}\
        """
            .formatted(status, INSTANCE);

    ApiResponse alone = problems.response(failure, TRACE);
    assertThat(alone.status()).isEqualTo(status);
    assertThat(alone.headers()).isEmpty();
    assertThat(text(alone)).isEqualTo(problem);
    ApiResponse wrapped = problems.proxyResponse(failure, TRACE);
    assertThat(wrapped.status()).isEqualTo(status);
    assertThat(text(wrapped)).isEqualTo("{\"proxy_error\":" + problem + "}");
  }

  @Test
  void someProblemsIncludeRetryOrAuthenticateHeaders() {
    assertThat(headers(FailureCause.OVERLOADED)).containsExactly(Map.entry("Retry-After", "1"));
    assertThat(headers(FailureCause.REQUEST_RUNNING))
        .containsExactly(Map.entry("Retry-After", "1"));
    assertThat(headers(FailureCause.STORE_UNAVAILABLE)).containsKey("Retry-After");
    assertThat(headers(FailureCause.MISSING_OR_INVALID_KEY)).containsKey("WWW-Authenticate");
    assertThat(headers(FailureCause.ANSWER_TIMEOUT)).isEmpty();
    assertThat(headers(FailureCause.ALREADY_DONE)).isEmpty();
  }

  private Map<String, String> headers(FailureCause cause) {
    return problems.response(new RefusedException(cause, "x"), TRACE).headers();
  }

  private static String text(ApiResponse response) {
    return new String(response.body().orElseThrow().bytes(), StandardCharsets.UTF_8);
  }
}
