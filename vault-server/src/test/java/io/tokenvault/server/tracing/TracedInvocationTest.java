package io.tokenvault.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.tracing.TracingTest.RecordingExporter;
import io.tokenvault.server.tracing.TracingTest.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests the spans of a proxied request in a process with OpenTelemetry. */
@Tag("long")
@Isolated("sets the OpenTelemetry of the process")
final class TracedInvocationTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CARD = "4242424242424242";
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final RecordingExporter exporter = new RecordingExporter();

  @Test
  void invocationHasSpansOfDecisionRecordTransformAndDestination() {
    RunningVault vault = RunningVault.shared();
    TenantFixture tenant = vault.newTenant();
    Client owner = tenant.owner();
    String token = owner.token(Json.object("type", "card_number", "data", CARD));
    SdkTracerProvider provider =
        SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
    GlobalOpenTelemetry.set(new Telemetry(provider));
    try (HttpsDestination destination = HttpsDestination.start();
        RunningVault.Node node = vault.node(Map.of())) {
      String code = "module.exports = async ({ args }) => ({ body: args.body });";
      JsonNode proxy = tenant.proxy(TenantFixture.transformingDraft(destination.url(), code));
      String key = proxy.get("key").asText();

      node.call("POST", "/proxy/path")
          .key(owner.key())
          .through(key)
          .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
          .json(Json.object("card", "{{" + token + "}}"))
          .send()
          .expect(200);

      Eventually.holds("proxy span is exported", TIMEOUT, () -> names().contains("POST /proxy"));
      assertThat(names()).contains("decision", "record", "transform", "destination");
      assertThat(exporter.spans.toString()).doesNotContain(CARD, key, destination.url());
    } finally {
      GlobalOpenTelemetry.resetForTest();
      provider.close();
    }
  }

  private List<String> names() {
    return exporter.spans.stream()
        .filter(span -> span.getTraceId().equals(TRACE))
        .map(SpanData::getName)
        .toList();
  }
}
