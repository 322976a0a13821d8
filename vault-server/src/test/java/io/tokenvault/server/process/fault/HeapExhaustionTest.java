package io.tokenvault.server.process.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.process.fixture.DatabaseUnderTest;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests concurrent requests that exhaust the heap, with an unlimited memory budget. */
@Timeout(600)
@Tag("long")
final class HeapExhaustionTest {

  private static final String HEAP = "64m";
  private static final int CLIENTS = 4;
  // Their objects take several times the heap.
  private static final int ARRAY_LENGTH = 3_500_000;
  private static final int EXIT_OUT_OF_MEMORY = 3;

  @AutoClose
  private final ServerUnderLoad vault =
      new ServerUnderLoad(
          DatabaseUnderTest.embedded(),
          Map.of("VAULT_API_MEMORY_BYTES", Long.toString(Long.MAX_VALUE)));

  @Test
  void serverConfiguredToExitExitsAndLosesNothing() throws Exception {
    vault.restartWithHeap(HEAP, "-XX:+ExitOnOutOfMemoryError");
    vault.assertSurvives(
        "a full heap, with a server that exits",
        load -> {
          VaultProcess server = vault.server();
          exhaustHeap(() -> !server.isAlive());
          server.expectExit(EXIT_OUT_OF_MEMORY);
          long end = System.nanoTime();
          vault.start();
          return end;
        });
  }

  @Test
  void serverThatContinuesLosesNothing() throws Exception {
    vault.restartWithHeap(HEAP);
    vault.assertSurvives(
        "a full heap, with a server that continues",
        load -> {
          exhaustHeap(() -> vault.server().err().contains("OutOfMemoryError"));
          long end = System.nanoTime();
          assertThat(vault.server().isAlive()).isTrue();
          return end;
        });
  }

  /** Sends large requests until the condition holds. */
  private void exhaustHeap(BooleanSupplier exhausted) throws InterruptedException {
    String body = "{\"type\":\"token\",\"data\":[" + "12,".repeat(ARRAY_LENGTH) + "0]}";
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Thread thread = new Thread(() -> sendUntil(body, exhausted), "client-" + i);
      threads.add(thread);
      thread.start();
    }
    VaultProcess.awaitThat("a full heap", exhausted);
    LoadDriver.pause(Duration.ofSeconds(2));
    for (Thread each : threads) {
      each.join();
    }
  }

  private void sendUntil(String body, BooleanSupplier exhausted) {
    while (!exhausted.getAsBoolean()) {
      try {
        vault.owner().post("/tokens", body);
      } catch (UncheckedIOException connectionLost) {
        LoadDriver.pause(Duration.ofMillis(100));
      }
    }
  }
}
