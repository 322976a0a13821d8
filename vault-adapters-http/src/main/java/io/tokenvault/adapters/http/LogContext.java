package io.tokenvault.adapters.http;

import org.eclipse.jetty.server.Request;
import org.slf4j.MDC;

/** Names the request in all lines of the log that its thread writes until the end. */
final class LogContext {

  private static final String TRACE_ID = "trace_id";
  private static final String TRACEPARENT = "traceparent";

  private LogContext() {}

  static void begin(Request request, TraceId trace) {
    MDC.put(TRACE_ID, trace.value());
    TraceContext.of(request).ifPresent(context -> MDC.put(TRACEPARENT, context.traceparent()));
  }

  static void end() {
    MDC.remove(TRACE_ID);
    MDC.remove(TRACEPARENT);
  }
}
