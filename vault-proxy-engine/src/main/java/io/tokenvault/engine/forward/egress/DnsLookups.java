package io.tokenvault.engine.forward.egress;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Looks up host names on separate threads, because a lookup that the operating system has begun
 * cannot be canceled.
 *
 * <p>Callers that wait for one name at the same time share a lookup, so that a name with slow
 * servers occupies one thread. If all 64 threads are busy, further names wait. If all of them have
 * been busy for more than a second, further names are refused at once. Thread-safe.
 */
public final class DnsLookups implements AutoCloseable {

  static final int THREADS = 64;
  private static final int IDLE_SECONDS = 30;

  /** Time that all threads must be busy before further names are refused. */
  private static final Duration LONG = Duration.ofSeconds(1);

  private final HostResolver resolver;
  private final long longNanos;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          DnsLookups::thread);
  private final Map<String, Lookup> running = new ConcurrentHashMap<>();

  /** Creates lookups that use a resolver. */
  public DnsLookups(HostResolver resolver) {
    this(resolver, LONG);
  }

  /**
   * Creates lookups.
   *
   * @param longBusy time that all threads must be busy before further names are refused
   */
  DnsLookups(HostResolver resolver, Duration longBusy) {
    this.resolver = resolver;
    this.longNanos = longBusy.toNanos();
    threads.allowCoreThreadTimeOut(true);
  }

  /** Creates a daemon thread, which does not delay the end of the process. */
  private static Thread thread(Runnable lookups) {
    Thread thread = new Thread(lookups, "vault-lookup");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Starts or joins a lookup.
   *
   * @return the addresses, which the caller cancels when it no longer waits; fails with {@link
   *     LookupsBusyException} if the name would need a thread and none will soon be free
   */
  CompletableFuture<List<InetAddress>> find(String host) {
    if (threads.getActiveCount() >= THREADS && !running.containsKey(host) && allAreBusyForLong()) {
      return CompletableFuture.failedFuture(new LookupsBusyException());
    }
    Lookup joined = running.compute(host, this::join);
    CompletableFuture<List<InetAddress>> found = joined.result.copy();
    CompletableFuture<?> unused = found.whenComplete((addresses, failure) -> stopWaiting(joined));
    return found;
  }

  /** Returns whether every thread has been busy for long. */
  private boolean allAreBusyForLong() {
    long now = System.nanoTime();
    return running.values().stream().filter(each -> each.hasTakenLong(now)).count() >= THREADS;
  }

  /** Adds a waiting caller to the name's lookup, which is started if there is none. */
  private Lookup join(String host, Lookup present) {
    Lookup joined = present == null ? new Lookup(host) : present;
    if (present == null) {
      threads.execute(joined);
    }
    joined.waiting++;
    return joined;
  }

  /** Removes a waiting caller. A lookup that has not begun is removed with its last caller. */
  private void stopWaiting(Lookup left) {
    running.computeIfPresent(
        left.host,
        (host, present) ->
            present == left && --left.waiting == 0 && threads.remove(left) ? null : present);
  }

  /** Accepts no further names; lookups that were accepted continue to their end. */
  @Override
  public void close() {
    threads.shutdown();
  }

  /** One lookup and the number of callers that wait for it. */
  private final class Lookup implements Runnable {

    private final String host;
    private final CompletableFuture<List<InetAddress>> result = new CompletableFuture<>();

    /** Time at which the lookup began, in nanoseconds; 0 before it. */
    private volatile long start;

    /** Number of waiting callers; changed only within {@code compute} of the name. */
    private int waiting;

    Lookup(String host) {
      this.host = host;
    }

    boolean hasTakenLong(long now) {
      long begun = start;
      return begun != 0 && now - begun > longNanos;
    }

    /**
     * Runs the lookup and unregisters it before its result is known, so that a later caller starts
     * a new one.
     */
    @Override
    public void run() {
      start = System.nanoTime() | 1;
      Runnable end = end();
      running.remove(host, this);
      end.run();
    }

    /** Resolves the name and returns the action that completes the result. */
    private Runnable end() {
      try {
        List<InetAddress> found = resolver.resolve(host);
        return () -> result.complete(found);
      } catch (UnknownHostException | RuntimeException | Error failed) {
        return () -> result.completeExceptionally(failed);
      }
    }
  }

  /** Thrown if all threads for DNS lookups are occupied by slow names. */
  public static final class LookupsBusyException extends UnknownHostException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Resolves host names for the call that the current thread executes, and waits no longer than
   * until that call is canceled. OkHttp does not inform its {@code Dns} of the call or of its end.
   *
   * <p>Register one instance with the client in all of its roles: as an event listener, as an
   * application interceptor, and as the resolver of {@link GuardedDns}.
   */
  public static final class CallResolver extends EventListener
      implements HostResolver, Interceptor {

    private final DnsLookups lookups;
    private final ThreadLocal<Call> executed = new ThreadLocal<>();
    private final Map<Call, CompletableFuture<?>> waiting = new ConcurrentHashMap<>();

    public CallResolver(DnsLookups lookups) {
      this.lookups = lookups;
    }

    /** Associates the call with the current thread while it is executed. */
    @Override
    public Response intercept(Chain chain) throws IOException {
      executed.set(chain.call());
      try {
        return chain.proceed(chain.request());
      } finally {
        executed.remove();
      }
    }

    /**
     * Resolves a name for the current thread's call.
     *
     * @throws UnknownHostException if the name does not resolve, no lookup can be started, or the
     *     call was canceled
     */
    @Override
    public List<InetAddress> resolve(String host) throws UnknownHostException {
      Call call = executed.get();
      try {
        CompletableFuture<List<InetAddress>> found = lookups.find(host);
        waiting.put(call, found);
        if (call.isCanceled()) {
          canceled(call);
        }
        return found.join();
      } catch (CancellationException | RejectedExecutionException ended) {
        throw new UnknownHostException();
      } catch (CompletionException failed) {
        throw failure(failed.getCause());
      } finally {
        waiting.remove(call);
      }
    }

    /**
     * Returns a new exception for each waiting call: all calls that wait for one name share the
     * original.
     */
    private static UnknownHostException failure(Throwable failed) {
      if (failed instanceof LookupsBusyException) {
        return new LookupsBusyException();
      }
      if (failed instanceof UnknownHostException) {
        return new UnknownHostException();
      }
      throw new IllegalStateException("the resolver failed", failed);
    }

    /** Stops waiting for the addresses of a canceled call. */
    @Override
    public void canceled(Call call) {
      CompletableFuture<?> found = waiting.get(call);
      if (found != null) {
        found.cancel(false);
      }
    }
  }
}
