package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestSpan;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.server.logging.AccessLog;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Passes what is observed of requests to several observers. */
record RequestWatches(List<RequestWatch> watches) implements RequestWatch {

  static RequestWatch of(
      RequestWatch metrics, Optional<AccessLog> accessLog, Optional<RequestWatch> spans) {
    return new RequestWatches(
        Stream.of(Optional.of(metrics), accessLog, spans)
            .<RequestWatch>flatMap(Optional::stream)
            .toList());
  }

  @Override
  public void overShare(Optional<UUID> applicationId) {
    watches.forEach(each -> each.overShare(applicationId));
  }

  /** Returns the span of the observer that begins one; at most one does. */
  @Override
  public RequestSpan begin(UnaryOperator<String> header) {
    for (RequestWatch watch : watches) {
      RequestSpan span = watch.begin(header);
      if (span != RequestSpan.NONE) {
        return span;
      }
    }
    return RequestSpan.NONE;
  }

  @Override
  public void finished(FinishedRequest request) {
    watches.forEach(each -> each.finished(request));
  }
}
