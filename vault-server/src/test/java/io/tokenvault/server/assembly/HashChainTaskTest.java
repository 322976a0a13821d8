package io.tokenvault.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class HashChainTaskTest {

  @Test
  void unreadOutputDoesNotDelayTheEnd() {
    CountDownLatch reader = new CountDownLatch(1);
    try {
      assertThat(HashChainTask.endsInTime(() -> await(reader), Duration.ofMillis(50))).isFalse();
    } finally {
      reader.countDown();
    }
    assertThat(HashChainTask.endsInTime(() -> await(reader), Duration.ofSeconds(10))).isTrue();
  }

  private static void await(CountDownLatch reader) {
    try {
      reader.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
