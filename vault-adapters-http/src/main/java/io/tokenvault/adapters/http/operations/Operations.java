package io.tokenvault.adapters.http.operations;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What a server gives to operators, and tells them.
 *
 * @param openApi the description of the interface, as JSON
 * @param metrics in the text format of Prometheus; for the admin listener only
 * @param passTraceContext whether the proxy passes on which trace of the caller's (W3C Trace
 *     Context) a request belongs to
 */
public record Operations(
    Supplier<byte[]> openApi,
    Supplier<String> metrics,
    RequestWatch watch,
    boolean passTraceContext) {

  /** For servers that nobody operates. */
  public static final Operations NONE =
      new Operations(
          () -> "{}".getBytes(StandardCharsets.UTF_8), () -> "", RequestWatch.NONE, false);

  public Operations {
    Objects.requireNonNull(openApi, "openApi");
    Objects.requireNonNull(metrics, "metrics");
    Objects.requireNonNull(watch, "watch");
  }
}
