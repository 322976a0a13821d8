package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.process.fixture.Node;
import io.tokenvault.server.process.fixture.Nodes;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One node after the other is stopped and started again, meanwhile the schema grows as with a
 * version to come, and no caller notices.
 */
@Tag("long")
final class RollingRestartTest {

  private static final int REQUESTS_BETWEEN = 60;

  /** Longer than HAProxy takes to notice. */
  private static final Map<String, String> SETTINGS = Map.of("VAULT_SHUTDOWN_DELAY_MS", "4000");

  @Test
  @Timeout(600)
  void noRequestIsLostWhileNodesAreRestarted() {
    restart(2, Node::inThisJvm, 1);
  }

  @Test
  @Tag("long")
  @Timeout(900)
  void noRequestIsLostWhileProcessesAreTerminatedAndStartedAgainAndAgain() {
    restart(3, Node::process, 5);
  }

  private static void restart(int count, Function<Map<String, String>, Node> kind, int rounds) {
    assumeTrue(Front.isInstalled(), "HAProxy is not installed, which takes nodes out and in");
    try (Nodes nodes = Nodes.start(count, kind, SETTINGS);
        Front front = Front.start(nodes)) {
      ManyNodesFixture fixture = new ManyNodesFixture(nodes);
      SteadyLoad load = SteadyLoad.start(fixture, front.url(), 6);
      try (load) {
        awaitRequests(load);
        nodes.alter(expansion());
        for (int round = 0; round < rounds; round++) {
          nodes.all().forEach(node -> restart(node, front, load));
        }
      }
      assertNothingLost(fixture, load, front.url());
    }
  }

  private static String expansion() {
    try (InputStream script =
        RollingRestartTest.class.getResourceAsStream("/nodes/expansion.sql")) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void restart(Node node, Front front, SteadyLoad load) {
    awaitRequests(load);
    node.stop();
    awaitRequests(load);
    node.start();
    front.awaitNode(node);
  }

  private static void awaitRequests(SteadyLoad load) {
    int before = load.answers();
    VaultProcess.awaitThat(
        "requests that are answered", () -> load.answers() > before + REQUESTS_BETWEEN);
  }

  private static void assertNothingLost(ManyNodesFixture fixture, SteadyLoad load, String url) {
    assertThat(load.failures()).isEmpty();
    Calls owner = fixture.owner(url);
    load.acknowledged()
        .forEach((id, data) -> assertThat(owner.get("/tokens/" + id).body()).contains(data));
    // None was made twice either: what may have reached a node is not sent again.
    assertThat(
            fixture
                .nodes()
                .select(
                    "SELECT entity_id FROM audit_entry WHERE operation = 'create'"
                        + " AND entity_type = 'token' AND tenant_id = '"
                        + fixture.tenantId()
                        + "'"))
        .containsExactlyInAnyOrderElementsOf(load.acknowledged().keySet());
  }
}
