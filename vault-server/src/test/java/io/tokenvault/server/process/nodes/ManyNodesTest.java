package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.environment.TestSize;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests that changes on one node apply on all others from the next request on, despite caches. */
final class ManyNodesTest {

  private static final Logger LOG = LoggerFactory.getLogger(ManyNodesTest.class);
  private static final int NODES = 3;
  private static final int CLIENTS = 4;
  private static final int ROUNDS = 500;

  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger useCount = new AtomicInteger();
  private final AtomicInteger changeCount = new AtomicInteger();

  @Test
  @Tag("long")
  @Timeout(1800)
  void changeOnOneProcessAppliesToAllFromNextRequest() throws Exception {
    try (Nodes nodes = Nodes.start(NODES, Node::process, Map.of())) {
      List<String> urls = new ArrayList<>(nodes.all().stream().map(Node::url).toList());
      if (LoadBalancer.isInstalled()) {
        try (LoadBalancer loadBalancer = LoadBalancer.start(nodes)) {
          urls.add(loadBalancer.url());
          changeAndUse(nodes, urls);
        }
      } else {
        LOG.warn("HAProxy is not installed: no requests are sent through it");
        changeAndUse(nodes, urls);
      }
    }
  }

  private void changeAndUse(Nodes nodes, List<String> urls) throws Exception {
    ManyNodesFixture fixture = new ManyNodesFixture(nodes);
    Map<String, RepeatedChange> resources = new TreeMap<>();
    resources.putAll(new ApplicationChanges(fixture).all());
    // Another tenant, because these change settings of the tenant.
    resources.putAll(new TokenChanges(new ManyNodesFixture(nodes)).all());
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int first = i;
        clients.add(threads.submit(() -> use(List.copyOf(resources.values()), urls, first)));
      }
      List<Future<?>> changes = new ArrayList<>();
      resources.forEach(
          (name, each) -> changes.add(threads.submit(() -> changeRepeatedly(name, each, urls))));
      await(changes);
      stopped.set(true);
      await(clients);
    } finally {
      stopped.set(true);
      threads.shutdownNow();
    }
    assertThat(changeCount).hasValue(resources.size() * ROUNDS);
    LOG.info("{} changes on {} nodes during {} uses", changeCount, NODES, useCount);
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
  private void changeRepeatedly(String name, RepeatedChange resource, List<String> urls) {
    List<String> order = new ArrayList<>(urls);
    for (int round = 0; round < ROUNDS && !stopped.get(); round++) {
      String changedNode = urls.get(round % urls.size());
      try {
        order.forEach(resource.change(round, changedNode));
      } catch (RuntimeException | AssertionError failed) {
        stopped.set(true);
        throw new AssertionError(
            name + ", round " + round + ", changed on " + changedNode + ": " + failed.getMessage(),
            failed);
      }
      changeCount.incrementAndGet();
      Collections.rotate(order, round % 2 == 0 ? 1 : 2);
    }
  }

  /** Uses all changing resources; responses may only fail because of a change. */
  private void use(List<RepeatedChange> resources, List<String> urls, int first) {
    for (int i = first; !stopped.get(); i++) {
      RepeatedChange resource = resources.get(i % resources.size());
      String url = urls.get(i / resources.size() % urls.size());
      Response response = resource.use(url);
      boolean changedDuringUse =
          response.status() == 503 && response.text().contains("; try again.");
      if (!changedDuringUse) {
        assertThat(response.status()).as("%s %s", url, response.text()).isBetween(200, 499);
      }
      useCount.incrementAndGet();
      TestSize.pauseInSmallRun();
    }
  }
}
