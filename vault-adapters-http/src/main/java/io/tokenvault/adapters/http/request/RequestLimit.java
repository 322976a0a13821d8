package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.exchange.RequestObserver;
import io.tokenvault.adapters.http.exchange.RequestObserver.RequestWatch;
import io.tokenvault.adapters.http.response.CorsHeaders;
import io.tokenvault.adapters.http.response.ResponseWriter;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.runtime.RateLimits.Kind;
import io.tokenvault.ports.runtime.RateLimits.Subject;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Admits requests: limits the number of concurrent ones and those of each caller, and closes
 * connections while the server drains. {@link LingeringClose} limits what is read of a body that
 * nothing needs any more.
 *
 * <p>Requests above the limit are rejected immediately, so that a thread is always left to send the
 * rejection. Liveness and readiness checks have slots of their own, 16 each, so that readiness
 * checks that wait for the database do not block liveness checks.
 *
 * <p>Each caller may use only a share of the slots, so that slow bodies or slow destinations of one
 * caller do not block the others: half for a tenant, a quarter for an application or for a proxy
 * called without an API key. A request is counted from its authentication until the response is
 * complete. Thread-safe.
 */
public final class RequestLimit extends Handler.Wrapper {

  /** The number of slots for each kind of health check. */
  static final int HEALTH_CHECKS = 16;

  private static final String SLOT = RequestLimit.class.getName();

  private final Semaphore requests;
  private final Semaphore liveness = new Semaphore(HEALTH_CHECKS);
  private final Semaphore readiness = new Semaphore(HEALTH_CHECKS);
  private final int tenantShare;
  private final int subjectShare;
  private final Map<Object, Integer> inProgress = new ConcurrentHashMap<>();
  private final RequestWatch watch;
  private final ResponseWriter writer;
  private final CorsHeaders cors;
  private volatile boolean draining;

  /**
   * Creates the limit.
   *
   * @param maxRequests the number of slots, not counting health checks; each share of them allows
   *     at least one request
   * @param watch is notified of requests that exceed their caller's share
   * @param writer sends rejections
   * @param cors lets browser pages read rejections
   */
  public RequestLimit(
      int maxRequests, RequestWatch watch, ResponseWriter writer, CorsHeaders cors) {
    this.requests = new Semaphore(maxRequests);
    this.tenantShare = Math.max(1, maxRequests / 2);
    this.subjectShare = Math.max(1, maxRequests / 4);
    this.watch = watch;
    this.writer = writer;
    this.cors = cors;
  }

  /**
   * Begins draining: from now on every response closes its connection. Requests are still served.
   * It cannot be undone; later calls have no effect.
   */
  public void drain() {
    draining = true;
  }

  public boolean isDraining() {
    return draining;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    request.addHttpStreamWrapper(ClosingStream::new);
    Semaphore slots = slots(request);
    if (!slots.tryAcquire()) {
      RefusedException overloaded =
          new RefusedException(
              FailureCause.OVERLOADED, "Too many requests are in progress; try again.");
      cors.allow(request, response);
      writer.reject(response, callback, overloaded, RequestObserver.isProxy(request));
      return true;
    }
    Slot slot = new Slot(callback, slots);
    request.setAttribute(SLOT, slot);
    boolean handled = false;
    try {
      handled = super.handle(request, response, slot);
    } finally {
      if (!handled) {
        slot.release();
      }
    }
    return handled;
  }

  private Semaphore slots(Request request) {
    return switch (String.valueOf(request.getHttpURI().getPath())) {
      case "/healthz", "/healthz/" -> liveness;
      case "/readyz", "/readyz/" -> readiness;
      default -> requests;
    };
  }

  /**
   * Counts a request against its caller's share. Must be called after authentication and before the
   * body is read; later calls for the same request have no effect.
   *
   * @throws RefusedException if the share of the caller or its tenant is used up
   */
  public static void takeShare(Request request, Subject subject) {
    if (request.getAttribute(SLOT) instanceof Slot slot) {
      slot.takeShare(subject);
    }
  }

  private void takeShare(Subject subject) {
    if (!add(subject, subjectShare)) {
      boolean isApplication = subject.kind() == Kind.APPLICATION;
      throw shareExceeded(
          subject,
          isApplication ? "The application" : "The proxy without an API key",
          subjectShare);
    }
    if (!add(subject.tenantId(), tenantShare)) {
      remove(subject);
      throw shareExceeded(subject, "The tenant", tenantShare);
    }
  }

  /** Counts one more request, unless there are as many as allowed. */
  private boolean add(Object owner, int most) {
    if (inProgress.merge(owner, 1, Integer::sum) <= most) {
      return true;
    }
    remove(owner);
    return false;
  }

  private void remove(Object owner) {
    inProgress.computeIfPresent(owner, (unused, count) -> count == 1 ? null : count - 1);
  }

  private RefusedException shareExceeded(Subject subject, String owner, int most) {
    watch.shareExceeded(
        subject.kind() == Kind.APPLICATION ? Optional.of(subject.id()) : Optional.empty());
    return new RefusedException(
        FailureCause.TOO_MANY_IN_PROGRESS,
        owner + " has " + most + " requests in progress, its limit; try again.");
  }

  /**
   * The stream of an exchange, which closes its connection if the server drains. Every exchange has
   * one, since one that started before draining may be responded to during it.
   */
  private final class ClosingStream extends HttpStream.Wrapper {

    ClosingStream(HttpStream stream) {
      super(stream);
    }

    @Override
    public void prepareResponse(HttpFields.Mutable headers) {
      super.prepareResponse(headers);
      if (draining) {
        headers.put(HttpFields.CONNECTION_CLOSE);
      }
    }
  }

  /**
   * The slot of one request. It is released exactly once, when the exchange completes or nothing
   * handles it.
   */
  private final class Slot extends Callback.Nested {

    private final Semaphore slots;
    private Optional<Subject> counted = Optional.empty();
    private boolean released;

    Slot(Callback callback, Semaphore slots) {
      super(callback);
      this.slots = slots;
    }

    synchronized void takeShare(Subject subject) {
      if (counted.isEmpty() && !released) {
        RequestLimit.this.takeShare(subject);
        counted = Optional.of(subject);
      }
    }

    synchronized void release() {
      if (!released) {
        released = true;
        counted.ifPresent(
            subject -> {
              remove(subject.tenantId());
              remove(subject);
            });
        slots.release();
      }
    }

    @Override
    public void succeeded() {
      release();
      super.succeeded();
    }

    @Override
    public void failed(Throwable failure) {
      release();
      super.failed(failure);
    }
  }

  /**
   * Reads the rest of a request body after the response has been sent, within limits.
   *
   * <p>Closing a connection with unread input resets it, and the caller would often see the reset
   * instead of the response. At most 32 MiB are read, for at most 5 seconds. Reading is
   * asynchronous and occupies no thread while it waits.
   */
  public static final class LingeringClose extends Handler.Wrapper {

    private static final long MAX_BYTES = 32L << 20;
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(5);

    public LingeringClose(Handler handler) {
      super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      return super.handle(request, response, new Drain(request, callback));
    }

    /** Completes the exchange once the rest of its body has been read or a limit is reached. */
    private static final class Drain extends Callback.Nested implements Runnable {

      private final Request request;
      private long bytes;
      private long deadline;

      Drain(Request request, Callback callback) {
        super(callback);
        this.request = request;
      }

      /** Starts to read the rest of the body. Runs when the response is complete. */
      @Override
      public void succeeded() {
        if (request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString())) {
          // A caller that waits for 100 Continue has read the final response instead; reading the
          // body would send the 100.
          super.succeeded();
          return;
        }
        deadline = System.nanoTime() + MAX_NANOS;
        run();
      }

      /** Reads the chunks that are available, and asks to be called again when there are more. */
      @Override
      public void run() {
        while (bytes <= MAX_BYTES && System.nanoTime() < deadline) {
          Content.Chunk chunk = request.read();
          if (chunk == null) {
            request.demand(this);
            return;
          }
          bytes += chunk.remaining();
          chunk.release();
          if (chunk.isLast() || Content.Chunk.isFailure(chunk)) {
            break;
          }
        }
        super.succeeded();
      }
    }
  }
}
