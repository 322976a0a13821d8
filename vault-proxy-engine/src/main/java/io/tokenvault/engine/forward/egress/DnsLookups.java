package io.tokenvault.engine.forward.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks names up on threads of its own, since nothing ends a look-up that the system has begun. All
 * who wait for a name at the same time share one look-up, so that a name whose servers are slow
 * holds one thread. When all threads are held, names wait for one; when all have been held for
 * long, names that need one are refused at once.
 */
public final class DnsLookups implements AutoCloseable {

  static final int THREADS = 64;
  private static final int IDLE_SECONDS = 30;
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

  public DnsLookups(HostResolver resolver) {
    this(resolver, LONG);
  }

  /**
   * @param longHeld how long all threads are held before new names are refused
   */
  DnsLookups(HostResolver resolver, Duration longHeld) {
    this.resolver = resolver;
    this.longNanos = longHeld.toNanos();
    threads.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable lookups) {
    Thread thread = new Thread(lookups, "vault-lookup");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * To be cancelled by those who no longer wait. Fails with {@link LookupsBusyException} if there
   * is no thread for a name that nobody waits for yet, and will not be one soon.
   */
  CompletableFuture<List<InetAddress>> find(String host) {
    if (threads.getActiveCount() >= THREADS && !running.containsKey(host) && allAreHeldForLong()) {
      return CompletableFuture.failedFuture(new LookupsBusyException());
    }
    Lookup joined = running.compute(host, this::join);
    CompletableFuture<List<InetAddress>> found = joined.result.copy();
    CompletableFuture<?> unused = found.whenComplete((addresses, failure) -> leave(joined));
    return found;
  }

  private boolean allAreHeldForLong() {
    long now = System.nanoTime();
    return running.values().stream().filter(each -> each.hasTakenLong(now)).count() >= THREADS;
  }

  private Lookup join(String host, Lookup present) {
    Lookup joined = present == null ? new Lookup(host) : present;
    if (present == null) {
      threads.execute(joined);
    }
    joined.waiting++;
    return joined;
  }

  /** A look-up that has not begun does not begin if nobody waits for it any more. */
  private void leave(Lookup left) {
    running.computeIfPresent(
        left.host,
        (host, present) ->
            present == left && --left.waiting == 0 && threads.remove(left) ? null : present);
  }

  /** Those that wait go on to their end. */
  @Override
  public void close() {
    threads.shutdown();
  }

  private final class Lookup implements Runnable {

    private final String host;
    private final CompletableFuture<List<InetAddress>> result = new CompletableFuture<>();

    /** In nanoseconds; 0 before it has begun. */
    private volatile long start;

    /** Changed only within {@code compute} of its name. */
    private int waiting;

    Lookup(String host) {
      this.host = host;
    }

    boolean hasTakenLong(long now) {
      long begun = start;
      return begun != 0 && now - begun > longNanos;
    }

    /** Whoever asks after the end asks anew. */
    @Override
    public void run() {
      start = System.nanoTime() | 1;
      Runnable end = end();
      running.remove(host, this);
      end.run();
    }

    private Runnable end() {
      try {
        List<InetAddress> found = resolver.resolve(host);
        return () -> result.complete(found);
      } catch (UnknownHostException | RuntimeException | Error failed) {
        return () -> result.completeExceptionally(failed);
      }
    }
  }
}
