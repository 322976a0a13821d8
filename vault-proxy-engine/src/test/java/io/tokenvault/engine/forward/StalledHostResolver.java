package io.tokenvault.engine.forward;

import io.tokenvault.engine.forward.egress.HostResolver;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Resolves every name to the loopback address. Lookups of slow names block until {@link #release}
 * is called or a minute has passed, even if their thread is interrupted.
 */
public final class StalledHostResolver implements HostResolver {

  private final Predicate<String> slow;
  private final CountDownLatch released = new CountDownLatch(1);
  private final BlockingQueue<String> requested = new LinkedBlockingQueue<>();
  private final AtomicInteger resolved = new AtomicInteger();

  public StalledHostResolver(Predicate<String> slow) {
    this.slow = slow;
  }

  @Override
  public List<InetAddress> resolve(String host) {
    requested.add(host);
    if (slow.test(host)) {
      awaitRelease();
      resolved.incrementAndGet();
    }
    return List.of(InetAddress.getLoopbackAddress());
  }

  /** Waits at most a minute; a test that waits for the lookup has failed by then. */
  private void awaitRelease() {
    boolean interrupted = false;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        boolean ignored = released.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException deferred) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Completes all lookups of slow names. */
  public void release() {
    released.countDown();
  }

  /** Returns the number of completed lookups of slow names. */
  public int completedLookups() {
    return resolved.get();
  }

  /** Waits for the next lookup and returns its name. */
  public String takeRequestedName() throws InterruptedException {
    String next = requested.poll(30, TimeUnit.SECONDS);
    if (next == null) {
      throw new IllegalStateException("no name was looked up");
    }
    return next;
  }

  /** Returns the looked-up names that {@link #takeRequestedName} has not returned. */
  public List<String> requestedNames() {
    return List.copyOf(requested);
  }
}
