package io.tokenvault.server.logging;

import io.tokenvault.adapters.http.exchange.RequestObserver.FinishedRequest;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.exchange.RequestObserver.WatchedRequest;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.ports.runtime.RateLimits.Kind;
import io.tokenvault.server.files.StandardOutput.LineOutput;
import io.tokenvault.server.json.JsonLine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
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

  private static final int MAX_BATCH = 1000;
  private static final long POLL_MILLIS = 200;
  private static final long CLOSE_MILLIS = 5000;

  // Digits of the fraction that turns nanoseconds into milliseconds, and those that are written.
  private static final int NANO_DIGITS = 6;
  private static final int MICRO_DIGITS = 3;

  private final BlockingQueue<Ended> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final InstantSource clock;
  private final LineOutput output;
  private final Thread writer;
  private volatile boolean closed;

  private AccessLog(InstantSource clock, LineOutput output) {
    this.clock = clock;
    this.output = output;
    this.writer = new Thread(this::write, "access-log");
    writer.setDaemon(true);
  }

  /**
   * Starts writing to an output.
   *
   * @param clock the times of the lines
   */
  public static AccessLog to(InstantSource clock, LineOutput output) {
    AccessLog log = new AccessLog(clock, output);
    log.writer.start();
    return log;
  }

  @Override
  public void finished(FinishedRequest request) {
    if (!waiting.offer(new Ended(clock.instant(), request))) {
      dropped.incrementAndGet();
    }
  }

  private void write() {
    boolean isBroken = false;
    while (!closed || !waiting.isEmpty()) {
      try {
        byte[] lines = next();
        if (lines.length > 0) {
          output.write(lines);
          isBroken = false;
        }
      } catch (InterruptedException unexpected) {
        return;
      } catch (IOException failed) {
        if (!isBroken) {
          LOG.warn("The access log cannot be written: standard output is closed or full.");
        }
        isBroken = true;
      }
    }
  }

  /** Returns the lines of all waiting requests, after a short wait for the first one. */
  private byte[] next() throws InterruptedException {
    List<Ended> batch = new ArrayList<>();
    Ended first = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
    if (first == null) {
      return new byte[0];
    }
    batch.add(first);
    waiting.drainTo(batch, MAX_BATCH);
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    batch.forEach(each -> lines.writeBytes(each.toLine().bytes()));
    long lost = dropped.getAndSet(0);
    if (lost > 0) {
      lines.writeBytes(Ended.line(clock.instant()).with("dropped", lost).bytes());
    }
    return lines.toByteArray();
  }

  /** Writes the lines of the requests that have ended, for at most five seconds. */
  @Override
  public void close() {
    closed = true;
    try {
      writer.join(CLOSE_MILLIS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private record Ended(Instant time, FinishedRequest request) {

    static JsonLine line(Instant time) {
      return new JsonLine().with("log", "access").with("time", time.toString());
    }

    JsonLine toLine() {
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
}
