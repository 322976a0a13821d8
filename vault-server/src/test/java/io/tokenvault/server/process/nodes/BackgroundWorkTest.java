package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.process.fixture.Node;
import io.tokenvault.server.process.fixture.Nodes;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that another node takes over background work of a killed node, without repeating any. */
@Tag("long")
final class BackgroundWorkTest {

  private static final int TOKENS = 40_000;

  private static final String EXPIRED_TOKENS =
      """
      INSERT INTO token (
        tenant_id, token_id, type, containers, metadata, data, key_version, expires_at)
      SELECT '%s', 'expired-' || number, 'token', '{/}', '{}', '\\x01', 1,
             clock_timestamp() - interval '1 minute'
      FROM generate_series(1, %d) AS number
      RETURNING token_id
      """;

  private static final String SWEPT =
      "SELECT %s FROM audit_entry WHERE message = 'Token expired' AND tenant_id = '%s'";

  /** Selects the client port of the node that is the elected sweeper. */
  private static final String SWEEPER =
      """
      SELECT client_port FROM pg_stat_activity JOIN pg_locks USING (pid)
      WHERE locktype = 'advisory'
        AND objid::bigint = hashtext('token-vault duty sweeping') & 4294967295
      """;

  @Test
  @Timeout(600)
  void expiredDataIsSweptOnceDespiteKilledSweeper() {
    assumeTrue(ProgramRun.find("ss").isPresent(), "ss is missing: apt-get install iproute2");
    try (Nodes nodes = Nodes.start(3, Node::process, Map.of())) {
      String tenant = nodes.newTenant().tenantId().toString();
      assertThat(nodes.select(EXPIRED_TOKENS.formatted(tenant, TOKENS))).hasSize(TOKENS);

      VaultProcess.awaitThat("a sweep", () -> countSwept(nodes, tenant) > 0);
      Node sweeper = sweeper(nodes).orElseThrow();
      sweeper.kill();
      assertThat(countSwept(nodes, tenant)).as("swept before the kill").isLessThan(TOKENS);
      VaultProcess.awaitThat(
          "the rest to be swept by another node", () -> countSwept(nodes, tenant) >= TOKENS);

      assertThat(sweeper(nodes)).isPresent().get().isNotEqualTo(sweeper);
      assertThat(nodes.select(SWEPT.formatted("entity_id", tenant)))
          .doesNotHaveDuplicates()
          .hasSize(TOKENS);
      assertThat(nodes.select("SELECT token_id FROM token WHERE tenant_id = '" + tenant + "'"))
          .isEmpty();
    }
  }

  private static int countSwept(Nodes nodes, String tenant) {
    return Integer.parseInt(nodes.select(SWEPT.formatted("count(*)", tenant)).get(0));
  }

  private static Optional<Node> sweeper(Nodes nodes) {
    List<String> ports = nodes.select(SWEEPER);
    return nodes.all().stream()
        .filter(node -> ports.stream().map(Integer::valueOf).anyMatch(node::hasConnectionFrom))
        .findFirst();
  }
}
