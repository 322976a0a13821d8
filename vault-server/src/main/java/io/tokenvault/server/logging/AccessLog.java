package io.tokenvault.server.logging;

import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.ports.runtime.RateLimits.Kind;
import io.tokenvault.server.files.StandardOutput.LineOutput;
import io.tokenvault.server.json.JsonLine;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a JSON line for each request, without anything that callers sent except the request's id.
 *
 * <p>A thread of its own writes, so that no request waits for a slow output. If it falls behind,
 * lines are dropped, and a line says how many: the audit log is the one that is complete.
 */
public final class AccessLog implements RequestWatch, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

  static final int MAX_WAITING = 10_000;

  private static final long CLOSE_MILLIS = 5000;

  // Digits of the fraction that turns nanoseconds into milliseconds, and those that are written.
  private static final int NANO_DIGITS = 6;
  private static final int MICRO_DIGITS = 3;

  private final AtomicLong dropped = new AtomicLong();
  private final InstantSource clock;
  private final LineOutput output;
  private final ExecutorService writer =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.MILLISECONDS,
          new ArrayBlockingQueue<>(MAX_WAITING),
          task -> {
            Thread thread = new Thread(task, "access-log");
            thread.setDaemon(true);
            return thread;
          },
          (task, full) -> dropped.incrementAndGet());

  /** Whether the last line could not be written. Only the thread that writes uses it. */
  private boolean isBroken;

  /**
   * Creates a log that writes to an output.
   *
   * @param clock the times of the lines
   */
  public AccessLog(InstantSource clock, LineOutput output) {
    this.clock = clock;
    this.output = output;
  }

  @Override
  public void finished(FinishedRequest request) {
    Instant time = clock.instant();
    writer.execute(() -> write(line(time, request)));
  }

  private void write(JsonLine line) {
    try {
      output.write(line.bytes());
      isBroken = false;
      long lost = dropped.getAndSet(0);
      if (lost > 0) {
        output.write(line(clock.instant()).with("dropped", lost).bytes());
      }
    } catch (IOException failed) {
      if (!isBroken) {
        LOG.warn("The access log cannot be written: standard output is closed or full.");
      }
      isBroken = true;
    }
  }

  /** Writes the lines of the requests that have ended, for at most five seconds. */
  @Override
  public void close() {
    writer.shutdown();
    try {
      var unused = writer.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static JsonLine line(Instant time) {
    return new JsonLine().with("log", "access").with("time", time.toString());
  }

  private static JsonLine line(Instant time, FinishedRequest request) {
    WatchedRequest watched = request.request();
    JsonLine line =
        line(time)
            .with("listener", watched.admin() ? "admin" : "main")
            .with("method", watched.method())
            .with("route", watched.route())
            .with("status", request.status())
            .with("duration_ms", new JsonNumber(millis(request.nanos())))
            .with("request_bytes", Math.max(0, request.requestBytes()))
            .with("response_bytes", Math.max(0, request.responseBytes()));
    request.id().ifPresent(id -> line.with("request_id", id));
    request
        .caller()
        .ifPresent(
            caller -> {
              line.with("tenant_id", caller.tenantId().toString());
              boolean isApplication = caller.kind() == Kind.APPLICATION;
              line.with(isApplication ? "application_id" : "proxy_id", caller.id().toString());
            });
    return line;
  }

  private static String millis(long nanos) {
    return BigDecimal.valueOf(nanos, NANO_DIGITS)
        .setScale(MICRO_DIGITS, RoundingMode.HALF_UP)
        .toPlainString();
  }
}
