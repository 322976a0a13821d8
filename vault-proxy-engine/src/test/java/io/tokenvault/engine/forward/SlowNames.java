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

/** A resolver that gives loopback; of some names only when it is let, and nothing ends its wait. */
public final class SlowNames implements HostResolver {

  private final Predicate<String> slow;
  private final CountDownLatch let = new CountDownLatch(1);
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final AtomicInteger resolved = new AtomicInteger();

  public SlowNames(Predicate<String> slow) {
    this.slow = slow;
  }

  @Override
  public List<InetAddress> resolve(String host) {
    asked.add(host);
    if (slow.test(host)) {
      awaitLet();
      resolved.incrementAndGet();
    }
    return List.of(InetAddress.getLoopbackAddress());
  }

  /** At the latest when a test that waits for it would have failed anyway. */
  private void awaitLet() {
    boolean interrupted = false;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try {
        boolean ignored = let.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException unheard) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public void answer() {
    let.countDown();
  }

  /** How many look-ups of slow names have ended. */
  public int answered() {
    return resolved.get();
  }

  /** The next name that was asked for. */
  public String take() throws InterruptedException {
    String next = asked.poll(30, TimeUnit.SECONDS);
    if (next == null) {
      throw new IllegalStateException("no name was asked for");
    }
    return next;
  }

  /** Names that were asked for and not taken. */
  public List<String> asked() {
    return List.copyOf(asked);
  }
}
