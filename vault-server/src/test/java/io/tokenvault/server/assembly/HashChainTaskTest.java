package io.tokenvault.server.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.environment.Unchecked;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class HashChainTaskTest {

  @Test
  void blockedOutputDoesNotDelayShutdown() {
    CountDownLatch reader = new CountDownLatch(1);
    try {
      assertThat(
              HashChainTask.endsInTime(() -> Unchecked.run(reader::await), Duration.ofMillis(50)))
          .isFalse();
    } finally {
      reader.countDown();
    }
    assertThat(HashChainTask.endsInTime(() -> Unchecked.run(reader::await), Duration.ofSeconds(10)))
        .isTrue();
  }
}
