package io.tokenvault.engine.forward.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.forward.SlowNames;
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

  private final SlowNames names = new SlowNames(host -> host.startsWith("slow"));
  private final DnsLookups lookups = new DnsLookups(names, Duration.ofHours(1));

  @AfterEach
  void stop() {
    names.answer();
    lookups.close();
  }

  private static List<InetAddress> found(CompletableFuture<List<InetAddress>> lookup)
      throws Exception {
    return lookup.get(30, TimeUnit.SECONDS);
  }

  private void holdAllThreads(DnsLookups of) throws InterruptedException {
    List<CompletableFuture<?>> held = new ArrayList<>();
    for (int i = 0; i < DnsLookups.THREADS; i++) {
      held.add(of.find("slow" + i));
      names.take();
    }
    assertThat(held).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void slowNameDoesNotDelayOthers() throws Exception {
    List<CompletableFuture<List<InetAddress>>> slow = new ArrayList<>();
    for (int i = 0; i <= DnsLookups.THREADS; i++) {
      slow.add(lookups.find("slow"));
    }

    assertThat(found(lookups.find("fast"))).isNotEmpty();
    assertThat(slow).noneMatch(CompletableFuture::isDone);

    names.answer();
    for (CompletableFuture<List<InetAddress>> each : slow) {
      assertThat(found(each)).isNotEmpty();
    }
    assertThat(names.asked()).containsExactlyInAnyOrder("slow", "fast");
  }

  @Test
  void nameIsResolvedAgainAfterItsLookupEnded() throws Exception {
    found(lookups.find("fast"));
    found(lookups.find("fast"));

    assertThat(names.asked()).containsExactly("fast", "fast");
  }

  @Test
  void cancellationDoesNotEndLookupOfOthers() throws Exception {
    holdAllThreads(lookups);
    CompletableFuture<List<InetAddress>> stays = lookups.find("fast");
    lookups.find("fast").cancel(false);

    names.answer();

    assertThat(found(stays)).isNotEmpty();
  }

  @Test
  void abandonedNameIsNotLookedUp() throws Exception {
    holdAllThreads(lookups);
    lookups.find("left").cancel(false);
    CompletableFuture<List<InetAddress>> last = lookups.find("last");
    assertThat(names.answered()).isZero();

    names.answer();

    assertThat(found(last)).isNotEmpty();
    assertThat(names.asked()).containsExactly("last");
  }

  @Test
  void newNamesAreRejectedAtOnceWhileThreadsStayBusy() throws Exception {
    try (DnsLookups soon = new DnsLookups(names)) {
      holdAllThreads(soon);
      CompletableFuture<List<InetAddress>> late = soon.find("late0");
      for (int tries = 1; !late.isDone() && tries < 500; tries++) {
        TimeUnit.MILLISECONDS.sleep(20);
        late = soon.find("late" + tries);
      }

      assertThat(late)
          .isCompletedExceptionally()
          .failsWithin(0, TimeUnit.SECONDS)
          .withThrowableThat()
          .withCauseInstanceOf(LookupsBusyException.class);
      CompletableFuture<List<InetAddress>> first = soon.find("slow0");
      assertThat(first).isNotDone();
      names.answer();
      assertThat(found(first)).isNotEmpty();
      assertThat(found(soon.find("fast"))).isNotEmpty();
    }
  }

  @Test
  void pendingLookupCompletesAfterClose() throws Exception {
    CompletableFuture<List<InetAddress>> slow = lookups.find("slow");
    lookups.close();
    names.answer();

    assertThat(found(slow)).isNotEmpty();
  }

  @Test
  void threadEndsAfterClose() throws Exception {
    AtomicReference<Thread> used = new AtomicReference<>();
    try (DnsLookups ending =
        new DnsLookups(
            host -> {
              used.set(Thread.currentThread());
              return names.resolve(host);
            })) {
      found(ending.find("fast"));
    }

    used.get().join(TimeUnit.SECONDS.toMillis(10));
    assertThat(used.get().isAlive()).isFalse();
  }
}
