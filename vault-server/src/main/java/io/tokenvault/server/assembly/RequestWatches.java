package io.tokenvault.server.assembly;

import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestSpan;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Passes what is observed of requests to several observers. */
record RequestWatches(List<RequestWatch> watches) implements RequestWatch {

  static RequestWatch of(List<RequestWatch> watches) {
    return new RequestWatches(List.copyOf(watches));
  }

  @Override
  public void completed(WatchedRequest request, int status, long nanos) {
    watches.forEach(each -> each.completed(request, status, nanos));
  }

  @Override
  public void overShare(Optional<UUID> applicationId) {
    watches.forEach(each -> each.overShare(applicationId));
  }

  /** Returns the span of the observer that begins one; at most one does. */
  @Override
  public RequestSpan begin(UnaryOperator<String> header) {
    return watches.stream()
        .map(each -> each.begin(header))
        .filter(span -> span != RequestSpan.NONE)
        .findFirst()
        .orElse(RequestSpan.NONE);
  }

  @Override
  public void finished(FinishedRequest request) {
    watches.forEach(each -> each.finished(request));
  }
}
