package io.tokenvault.server.process.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.place.Effort;
import io.tokenvault.server.process.fixture.NamedDestination;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Callers that make tokens, read them and send them to a destination, until they are stopped. */
final class SteadyLoad implements AutoCloseable {

  private final ManyNodesFixture fixture;
  private final String url;
  private final JsonNode proxy;
  private final List<Thread> callers = new ArrayList<>();
  private final Map<String, String> dataById = new ConcurrentHashMap<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger responses = new AtomicInteger();
  private volatile boolean over;

  private SteadyLoad(ManyNodesFixture fixture, String url) {
    this.fixture = fixture;
    this.url = url;
    this.proxy = fixture.proxy(url, NamedDestination.ONE);
  }

  static SteadyLoad start(ManyNodesFixture fixture, String url, int callers) {
    SteadyLoad load = new SteadyLoad(fixture, url);
    for (int i = 0; i < callers; i++) {
      String name = "caller-" + i;
      Thread caller = new Thread(() -> load.callUntilOver(name), name);
      load.callers.add(caller);
      caller.start();
    }
    return load;
  }

  private void callUntilOver(String name) {
    for (int i = 0; !over; i++) {
      try {
        call(name + " " + i + ".");
        Effort.restAwhile();
      } catch (RuntimeException | AssertionError failed) {
        failures.add(failed + " " + failed.getCause());
      }
    }
  }

  private void call(String data) {
    Calls calls = fixture.owner(url);
    String id =
        Calls.expect(201, calls.post("/tokens", "{\"type\":\"token\",\"data\":\"" + data + "\"}"))
            .path("id")
            .asText();
    dataById.put(id, data);
    responses.incrementAndGet();
    HttpResponse<String> sent = fixture.through(url, proxy, id);
    if (sent.statusCode() != 200 || !sent.body().contains(data)) {
      failures.add("proxy: " + sent.statusCode() + " " + sent.body());
    }
    responses.incrementAndGet();
  }

  /** How many requests have been answered so far. */
  int answers() {
    return responses.get();
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  /** What was acknowledged: the tokens' data by their ids. */
  Map<String, String> acknowledged() {
    return Map.copyOf(dataById);
  }

  /** Returns when the last answer has come. */
  @Override
  public void close() {
    over = true;
    try {
      for (Thread caller : callers) {
        caller.join();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
