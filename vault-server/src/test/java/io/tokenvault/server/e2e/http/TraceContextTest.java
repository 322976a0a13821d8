package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.util.Map;
import okhttp3.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The {@code traceparent} header sets the trace id and is forwarded only if configured. */
class TraceContextTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  private static String traceId(Call call) {
    return call.send().header("SVC-TRACE-ID").orElse("none");
  }

  private Call call() {
    return fixture.vault.call("GET", "/permissions");
  }

  @Test
  void traceparentOfCallerSetsTraceId() {
    Response refused = call().header("traceparent", PARENT).send();
    refused.expectProblem(401, "unauthenticated");
    assertThat(refused.header("SVC-TRACE-ID")).contains(TRACE);
    assertThat(refused.text("instance")).endsWith(TRACE);
    assertThat(traceId(call().header("traceparent", "cc" + PARENT.substring(2) + "-later")))
        .isEqualTo(TRACE);
  }

  @Test
  void traceIdHeaderOverridesTraceparent() {
    assertThat(traceId(call().header("traceparent", PARENT).header("SVC-TRACE-ID", "mine")))
        .isEqualTo("mine");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more"
      })
  void invalidTraceparentIsIgnored(String parent) {
    assertThat(traceId(call().header("traceparent", parent)))
        .doesNotContainIgnoringCase(TRACE)
        .hasSize(36);
  }

  @Test
  void traceContextIsNotForwardedByDefault() {
    fixture.call("GET", "/").header("traceparent", PARENT).header("tracestate", "a=b").send();
    Headers received = fixture.destination.received().getHeaders();
    assertThat(received.get("traceparent")).isNull();
    assertThat(received.get("tracestate")).isNull();
  }

  @Test
  void traceContextIsForwardedIfConfigured() {
    try (RunningVault.Node node = fixture.vault.node(Map.of("VAULT_PROXY_TRACE_CONTEXT", "true"))) {
      fixture.byUrl(node).header("traceparent", PARENT).header("tracestate", "a=b").send();
      Headers received = fixture.destination.received().getHeaders();
      assertThat(received.get("traceparent")).isEqualTo(PARENT);
      assertThat(received.get("tracestate")).isEqualTo("a=b");
    }
  }
}
