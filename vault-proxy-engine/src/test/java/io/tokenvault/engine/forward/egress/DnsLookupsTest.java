package io.tokenvault.engine.forward.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.forward.StalledHostResolver;
import io.tokenvault.engine.forward.egress.DnsLookups.LookupsBusyException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests concurrent, canceled and excess lookups. */
class DnsLookupsTest {

  private final StalledHostResolver names =
      new StalledHostResolver(host -> host.startsWith("slow"));
  private final DnsLookups lookups = new DnsLookups(names, Duration.ofHours(1));

  @AfterEach
  void stop() {
    names.release();
    lookups.close();
  }

  private static List<InetAddress> await(CompletableFuture<List<InetAddress>> lookup)
      throws Exception {
    return lookup.get(30, TimeUnit.SECONDS);
  }

  private void occupyAllThreads(DnsLookups target) throws InterruptedException {
    List<CompletableFuture<?>> pending = new ArrayList<>();
    for (int i = 0; i < DnsLookups.THREADS; i++) {
      pending.add(target.find("slow" + i));
      names.takeRequestedName();
    }
    assertThat(pending).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void slowNameDoesNotDelayOthers() throws Exception {
    List<CompletableFuture<List<InetAddress>>> slow = new ArrayList<>();
    for (int i = 0; i <= DnsLookups.THREADS; i++) {
      slow.add(lookups.find("slow"));
    }

    assertThat(await(lookups.find("fast"))).isNotEmpty();
    assertThat(slow).noneMatch(CompletableFuture::isDone);

    names.release();
    for (CompletableFuture<List<InetAddress>> each : slow) {
      assertThat(await(each)).isNotEmpty();
    }
    assertThat(names.requestedNames()).containsExactlyInAnyOrder("slow", "fast");
  }

  @Test
  void nameIsResolvedAgainAfterItsLookupEnded() throws Exception {
    await(lookups.find("fast"));
    await(lookups.find("fast"));

    assertThat(names.requestedNames()).containsExactly("fast", "fast");
  }

  @Test
  void cancellationDoesNotEndLookupOfOthers() throws Exception {
    occupyAllThreads(lookups);
    CompletableFuture<List<InetAddress>> remaining = lookups.find("fast");
    lookups.find("fast").cancel(false);

    names.release();

    assertThat(await(remaining)).isNotEmpty();
  }

  @Test
  void abandonedNameIsNotLookedUp() throws Exception {
    occupyAllThreads(lookups);
    lookups.find("left").cancel(false);
    CompletableFuture<List<InetAddress>> last = lookups.find("last");
    assertThat(names.completedLookups()).isZero();

    names.release();

    assertThat(await(last)).isNotEmpty();
    assertThat(names.requestedNames()).containsExactly("last");
  }

  @Test
  void newNamesAreRejectedAtOnceWhileThreadsStayBusy() throws Exception {
    try (DnsLookups defaultLookups = new DnsLookups(names)) {
      occupyAllThreads(defaultLookups);
      CompletableFuture<List<InetAddress>> late = defaultLookups.find("late0");
      for (int tries = 1; !late.isDone() && tries < 500; tries++) {
        TimeUnit.MILLISECONDS.sleep(20);
        late = defaultLookups.find("late" + tries);
      }

      assertThat(late)
          .isCompletedExceptionally()
          .failsWithin(0, TimeUnit.SECONDS)
          .withThrowableThat()
          .withCauseInstanceOf(LookupsBusyException.class);
      CompletableFuture<List<InetAddress>> first = defaultLookups.find("slow0");
      assertThat(first).isNotDone();
      names.release();
      assertThat(await(first)).isNotEmpty();
      assertThat(await(defaultLookups.find("fast"))).isNotEmpty();
    }
  }

  @Test
  void pendingLookupCompletesAfterClose() throws Exception {
    CompletableFuture<List<InetAddress>> slow = lookups.find("slow");
    lookups.close();
    names.release();

    assertThat(await(slow)).isNotEmpty();
  }

  @Test
  void threadEndsAfterClose() throws Exception {
    AtomicReference<Thread> used = new AtomicReference<>();
    try (DnsLookups closing =
        new DnsLookups(
            host -> {
              used.set(Thread.currentThread());
              return names.resolve(host);
            })) {
      await(closing.find("fast"));
    }

    used.get().join(TimeUnit.SECONDS.toMillis(10));
    assertThat(used.get().isAlive()).isFalse();
  }
}
