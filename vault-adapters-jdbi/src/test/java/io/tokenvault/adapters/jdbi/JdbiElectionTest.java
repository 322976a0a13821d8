package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.ports.contract.runtime.ElectionContract;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JdbiElectionTest extends ElectionContract {

  private static final TestDatabase DATABASE = TestDatabase.empty();

  private static final String LAST_STATE_CHANGE =
      "SELECT extract(epoch FROM state_change) FROM pg_stat_activity"
          + " WHERE pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')"
          + " AND datname = current_database()";
  private static final String LOCK_HOLDERS =
      "SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database"
          + " WHERE locktype = 'advisory' AND datname = current_database()";

  private final Map<LeaderElection, TcpRelay> nodes = new IdentityHashMap<>();

  @Override
  protected LeaderElection join() {
    return join(JdbiElection.SILENCE);
  }

  private LeaderElection join(Duration silence) {
    TcpRelay relay = TcpRelay.to(DATABASE.port());
    DatabaseSettings settings =
        DATABASE.settings(DATABASE.urlWithPort(relay.port()), TestDatabase.LIMITS, 1);
    LeaderElection node = new JdbiElection(new DatabaseConnections(settings).bounded(), silence);
    nodes.put(node, relay);
    return node;
  }

  @Override
  protected void leave(LeaderElection node) {
    ((JdbiElection) node).close();
  }

  @Override
  protected void cut(LeaderElection node) {
    nodes.get(node).close();
  }

  @Override
  protected void closeAll() {
    nodes.keySet().forEach(this::leave);
    nodes.values().forEach(TcpRelay::close);
    // The server notices closed connections with a delay.
    eventually(() -> DATABASE.asOwner(LOCK_HOLDERS).isEmpty());
  }

  @Test
  void leaderSilentForTooLongIsReplaced() {
    LeaderElection hanging = join(Duration.ofSeconds(1));
    LeaderElection other = join();
    assertThat(isElected(hanging, LeaderTask.SWEEPING)).isTrue();
    nodes.get(hanging).freeze();
    eventually(() -> isElected(other, LeaderTask.SWEEPING));
  }

  /** Nodes of different versions run on one database during an upgrade. */
  @Test
  void lockHasSameKeyInAllVersions() {
    assertThat(isElected(join(), LeaderTask.SWEEPING)).isTrue();
    String key = " AND objid::bigint = hashtext('token-vault duty sweeping') & 4294967295";
    assertThat(DATABASE.asOwner(LOCK_HOLDERS + key)).hasSize(1);
  }

  /** Checks the times from which the server measures silence. */
  @Test
  void heartbeatsKeepLeaderElected() {
    LeaderElection busy = join();
    LeaderElection other = join();
    assertThat(isElected(busy, LeaderTask.SWEEPING)).isTrue();
    for (int i = 0; i < 8; i++) {
      BigDecimal before = lastStateChange();
      busy.keepAlive();
      eventually(() -> lastStateChange().compareTo(before) > 0);
    }
    assertThat(isElected(other, LeaderTask.SWEEPING)).isFalse();
  }

  private static BigDecimal lastStateChange() {
    return new BigDecimal(DATABASE.asOwner(LAST_STATE_CHANGE).get(0));
  }

  @Test
  void terminatedSessionIsReopened() {
    LeaderElection node = join();
    assertThat(isElected(node, LeaderTask.SWEEPING)).isTrue();
    DATABASE.asOwner("SELECT pg_terminate_backend(pid) FROM (%s) AS held".formatted(LOCK_HOLDERS));
    eventually(() -> isElectedOrLost(node));
  }

  private static boolean isElectedOrLost(LeaderElection node) {
    try {
      return isElected(node, LeaderTask.SWEEPING);
    } catch (RuntimeException lost) {
      return false;
    }
  }
}
