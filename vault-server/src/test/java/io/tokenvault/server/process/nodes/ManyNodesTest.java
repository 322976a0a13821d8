package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.place.TestSize;
import io.tokenvault.server.process.fixture.Node;
import io.tokenvault.server.process.fixture.Nodes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests that changes on one node apply on all others from the next request on, despite caches. */
final class ManyNodesTest {

  private static final Logger LOG = LoggerFactory.getLogger(ManyNodesTest.class);
  private static final int NODES = 3;
  private static final int USERS = 4;
  private static final int ROUNDS = 500;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger uses = new AtomicInteger();
  private final AtomicInteger turns = new AtomicInteger();

  @Test
  @Tag("long")
  @Timeout(1800)
  void changeOnOneProcessAppliesToAllFromNextRequest() throws Exception {
    try (Nodes nodes = Nodes.start(NODES, Node::process, Map.of())) {
      List<String> urls = new ArrayList<>(nodes.all().stream().map(Node::url).toList());
      if (LoadBalancer.isInstalled()) {
        try (LoadBalancer front = LoadBalancer.start(nodes)) {
          urls.add(front.url());
          alternate(nodes, urls, ROUNDS);
        }
      } else {
        LOG.warn("HAProxy is not installed: no requests are sent through it");
        alternate(nodes, urls, ROUNDS);
      }
    }
  }

  private void alternate(Nodes nodes, List<String> urls, int rounds) throws Exception {
    ManyNodesFixture fixture = new ManyNodesFixture(nodes);
    Map<String, RepeatedChange> alternations = new TreeMap<>();
    alternations.putAll(new ApplicationChanges(fixture).all());
    // Another tenant, because these change settings of the tenant.
    alternations.putAll(new TokenChanges(new ManyNodesFixture(nodes)).all());
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> users = new ArrayList<>();
      for (int i = 0; i < USERS; i++) {
        int first = i;
        users.add(threads.submit(() -> use(List.copyOf(alternations.values()), urls, first)));
      }
      List<Future<?>> changes = new ArrayList<>();
      alternations.forEach(
          (name, each) -> changes.add(threads.submit(() -> alternate(name, each, urls, rounds))));
      await(changes);
      over.set(true);
      await(users);
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
    assertThat(turns).hasValue(alternations.size() * rounds);
    LOG.info("{} changes on {} nodes during {} uses", turns, NODES, uses);
  }

  private static void await(List<Future<?>> futures) throws Exception {
    for (Future<?> future : futures) {
      try {
        future.get();
      } catch (ExecutionException failed) {
        throw new AssertionError(failed.getCause().getMessage(), failed.getCause());
      }
    }
  }

  /** Makes changes on each node in turn, and checks them on the nodes in varying order. */
  private void alternate(String name, RepeatedChange alternation, List<String> urls, int rounds) {
    List<String> order = new ArrayList<>(urls);
    for (int round = 0; round < rounds && !over.get(); round++) {
      String told = urls.get(round % urls.size());
      try {
        Consumer<String> holds = alternation.change(round, told);
        order.forEach(holds);
      } catch (RuntimeException | AssertionError failed) {
        over.set(true);
        throw new AssertionError(
            name + ", round " + round + ", changed on " + told + ": " + failed.getMessage(),
            failed);
      }
      turns.incrementAndGet();
      Collections.rotate(order, round % 2 == 0 ? 1 : 2);
    }
  }

  /** Uses all changing resources; responses may only fail because of a change. */
  private void use(List<RepeatedChange> alternations, List<String> urls, int first) {
    for (int i = first; !over.get(); i++) {
      RepeatedChange alternation = alternations.get(i % alternations.size());
      String url = urls.get(i / alternations.size() % urls.size());
      Response response = alternation.use(url);
      boolean changedMeanwhile =
          response.status() == 503 && response.text().contains("; try again.");
      if (!changedMeanwhile) {
        assertThat(response.status()).as("%s %s", url, response.text()).isBetween(200, 499);
      }
      uses.incrementAndGet();
      TestSize.restAwhile();
    }
  }
}
