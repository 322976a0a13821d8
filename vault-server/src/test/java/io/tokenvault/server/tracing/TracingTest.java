package io.tokenvault.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestSpan;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.Tracer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class TracingTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";

  private final RecordingExporter exporter = new RecordingExporter();

  @AutoClose
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();

  private final Tracing tracing = Tracing.of(new Telemetry(provider));
  private final RequestWatch requests = tracing.requests().orElseThrow();

  private static FinishedRequest finished(int status) {
    return new FinishedRequest(
        new WatchedRequest(false, "GET", "/tokens/{id}"),
        status,
        1,
        2,
        3,
        Optional.of("request 1"),
        Optional.empty());
  }

  @Test
  void requestHasSpanOfItsRouteInTraceOfCaller() {
    RequestSpan span =
        requests.begin(Map.of("traceparent", "00-" + TRACE + "-" + PARENT + "-01")::get);
    assertThat(span.traceparent().orElseThrow()).startsWith("00-" + TRACE + "-").endsWith("-01");
    span.detach();
    span.end(finished(404));

    SpanData data = exporter.spans.get(0);
    assertThat(data.getName()).isEqualTo("GET /tokens/{id}");
    assertThat(data.getKind()).isEqualTo(SpanKind.SERVER);
    assertThat(data.getTraceId()).isEqualTo(TRACE);
    assertThat(data.getParentSpanId()).isEqualTo(PARENT);
    assertThat(data.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(data.getAttributes().asMap().toString())
        .contains("http.route=/tokens/{id}", "http.response.status_code=404", "request 1");
  }

  @Test
  void partsAreChildrenOfRequestAndFailuresHaveNoMessage() {
    Tracer tracer = tracing.tracer();
    RequestSpan span = requests.begin(Map.<String, String>of()::get);
    assertThat(tracer.trace(Tracer.DECISION, () -> tracer.trace(Tracer.RECORD, () -> 1)))
        .isEqualTo(1);
    RefusedException refused =
        new RefusedException(FailureCause.DESTINATION_BROKE_OFF, "planted message");
    assertThatThrownBy(
            () ->
                tracer.trace(
                    Tracer.DESTINATION,
                    () -> {
                      throw refused;
                    }))
        .isSameAs(refused);
    span.detach();
    span.end(finished(502));

    assertThat(exporter.names())
        .containsExactly("record", "decision", "destination", "GET /tokens/{id}");
    SpanData request = exporter.spans.get(3);
    assertThat(exporter.spans.get(0).getParentSpanId())
        .isEqualTo(exporter.spans.get(1).getSpanId());
    assertThat(exporter.spans.get(1).getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(exporter.spans.get(2).getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(request.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(exporter.spans.get(2).getAttributes().toString())
        .contains(FailureCause.DESTINATION_BROKE_OFF.urn());
    assertThat(exporter.spans.toString()).doesNotContain("planted message");
  }

  @Test
  void workOutsideOfRequestsHasNoSpan() {
    assertThat(tracing.tracer().trace(Tracer.RECORD, () -> 1)).isEqualTo(1);

    assertThat(exporter.spans).isEmpty();
  }

  @Test
  void nothingIsTracedWithoutAgent() {
    assertThat(Tracing.ofProcess().tracer()).isSameAs(Tracer.NONE);
    assertThat(Tracing.ofProcess().requests()).isEmpty();
  }

  record Telemetry(SdkTracerProvider provider) implements OpenTelemetry {
    @Override
    public TracerProvider getTracerProvider() {
      return provider;
    }

    @Override
    public ContextPropagators getPropagators() {
      return ContextPropagators.create(W3CTraceContextPropagator.getInstance());
    }
  }

  static final class RecordingExporter implements SpanExporter {

    final List<SpanData> spans = new CopyOnWriteArrayList<>();

    List<String> names() {
      return spans.stream().map(SpanData::getName).toList();
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> ended) {
      spans.addAll(ended);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
