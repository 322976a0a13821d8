package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.environment.Unchecked;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.Node;
import io.tokenvault.server.process.fixture.Nodes;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that restarts of one node after the other, with a schema that grows as in a later version,
 * lose no request.
 */
@Tag("long")
final class RollingRestartTest {

  private static final int NODES = 3;
  private static final int ROUNDS = 5;
  private static final int TOKENS_BETWEEN = 30;

  /** A delay that is longer than HAProxy takes to notice the shutdown. */
  private static final Map<String, String> SETTINGS = Map.of("VAULT_SHUTDOWN_DELAY_MS", "4000");

  @Test
  @Timeout(900)
  void repeatedRestartsOfProcessesLoseNoRequest() {
    assumeTrue(LoadBalancer.isInstalled(), "HAProxy is missing: apt-get install haproxy");
    try (Nodes nodes = Nodes.start(NODES, Node::process, SETTINGS);
        LoadBalancer loadBalancer = LoadBalancer.start(nodes)) {
      ManyNodesFixture fixture = new ManyNodesFixture(nodes);
      LoadDriver load =
          LoadDriver.start(6, () -> fixture.owner(loadBalancer.url()), nodes.destination().url());
      try (load) {
        awaitRequests(load);
        nodes.runMigration(expansion());
        for (int round = 0; round < ROUNDS; round++) {
          nodes.all().forEach(node -> restart(node, loadBalancer, load));
        }
      }
      assertNothingLost(fixture, load, loadBalancer.url());
    }
  }

  private static String expansion() {
    return Unchecked.get(() -> Files.readString(Path.of("src/test/resources/nodes/expansion.sql")));
  }

  private static void restart(Node node, LoadBalancer loadBalancer, LoadDriver load) {
    awaitRequests(load);
    node.stop();
    awaitRequests(load);
    node.start();
    loadBalancer.awaitNode(node);
  }

  private static void awaitRequests(LoadDriver load) {
    int before = load.created().size();
    VaultProcess.awaitThat("more tokens", () -> load.created().size() > before + TOKENS_BETWEEN);
  }

  private static void assertNothingLost(ManyNodesFixture fixture, LoadDriver load, String url) {
    assertThat(load.failures()).isZero();
    Client owner = fixture.owner(url);
    load.created()
        .forEach((id, data) -> assertThat(owner.get("/tokens/" + id).text()).contains(data));
    // HAProxy does not resend requests that may have reached a node: no token exists twice.
    assertThat(
            fixture
                .nodes()
                .select(
                    "SELECT entity_id FROM audit_entry WHERE operation = 'create'"
                        + " AND entity_type = 'token' AND tenant_id = '"
                        + fixture.tenantId()
                        + "'"))
        .containsExactlyInAnyOrderElementsOf(load.created().keySet());
  }
}
