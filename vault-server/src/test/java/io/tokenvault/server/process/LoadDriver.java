package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.place.Effort;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Clients that make, read and use tokens without a pause, whatever comes back, and what the vault
 * has acknowledged to them.
 */
final class LoadDriver implements AutoCloseable {

  private static final long PAUSE_AFTER_FAILURE_MILLIS = 20;

  private final Supplier<Http> vault;
  private final String destination;
  private final List<Thread> clients = new ArrayList<>();
  private final Map<String, String> created = new ConcurrentHashMap<>();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger invocations = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger broken = new AtomicInteger();
  private final AtomicLong lastSuccess = new AtomicLong();
  private final AtomicLong lastFailure = new AtomicLong();
  private final Map<String, String> wrong = new ConcurrentHashMap<>();
  private volatile boolean stopped;

  /**
   * @param vault as an owner of tokens, wherever the server is now
   * @param destination answers with what it was sent
   */
  private LoadDriver(Supplier<Http> vault, String destination) {
    this.vault = vault;
    this.destination = destination;
  }

  static LoadDriver start(int clients, Supplier<Http> vault, String destination) {
    LoadDriver driver = new LoadDriver(vault, destination);
    for (int i = 0; i < clients; i++) {
      String name = "client-" + i;
      Thread thread = new Thread(() -> driver.run(name), name);
      driver.clients.add(thread);
      thread.start();
    }
    return driver;
  }

  private void run(String name) {
    for (int i = 0; !stopped; i++) {
      try {
        work(name + "-" + i);
        Effort.restAwhile();
      } catch (UncheckedIOException brokenOff) {
        broken.incrementAndGet();
        failed();
      }
    }
  }

  private void work(String data) {
    Http http = vault.get();
    HttpResponse<String> made =
        http.post("/tokens", "{\"type\":\"token\",\"data\":\"" + data + "\"}");
    if (!expected(made, 201, data)) {
      return;
    }
    String id = Http.json(made.body()).path("id").asText();
    created.put(id, data);
    if (expected(http.get("/tokens/" + id), 200, data)) {
      reads.incrementAndGet();
    }
    String reference = "\"{{" + id + "}}\"";
    if (expected(http.invoke(destination, "x", reference), 200, data)) {
      invocations.incrementAndGet();
    }
  }

  private boolean expected(HttpResponse<String> answer, int status, String data) {
    if (answer.statusCode() == status) {
      if (!answer.body().contains(data)) {
        wrong.put(data, answer.body());
      }
      lastSuccess.set(System.nanoTime());
      return true;
    }
    if (!isRefusal(answer) || answer.body().contains(data)) {
      wrong.put(data, answer.statusCode() + " " + answer.body());
    }
    refused.incrementAndGet();
    failed();
    return false;
  }

  /** Also if a connection to the destination was not possible: nothing was sent. */
  private static boolean isRefusal(HttpResponse<String> answer) {
    return answer.statusCode() == 503
        || (answer.statusCode() == 502 && answer.body().contains(":connect-failed\""));
  }

  private void failed() {
    lastFailure.set(System.nanoTime());
    pause(Duration.ofMillis(PAUSE_AFTER_FAILURE_MILLIS));
  }

  static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until something new has been acknowledged. */
  void awaitSuccess(String when) {
    long now = System.nanoTime();
    VaultProcess.awaitThat("success " + when, () -> lastSuccess.get() - now > 0);
  }

  /** How long after a moment the last failure was; zero if there was none. */
  Duration failuresAfter(long nanoTime) {
    return Duration.ofNanos(Math.max(0, lastFailure.get() - nanoTime));
  }

  /** How many requests were refused, or got no answer. */
  int failures() {
    return refused.get() + broken.get();
  }

  /** What was acknowledged: id and data of each token. */
  Map<String, String> created() {
    return created;
  }

  /** Ends the load, and what was strange about it fails. */
  @Override
  public void close() {
    stopped = true;
    try {
      for (Thread each : clients) {
        each.join();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
    assertThat(wrong).as("answers that are neither right nor a refusal").isEmpty();
  }

  @Override
  public String toString() {
    return "%d created, %d read, %d invoked, %d refused, %d without an answer"
        .formatted(created.size(), reads.get(), invocations.get(), refused.get(), broken.get());
  }
}
