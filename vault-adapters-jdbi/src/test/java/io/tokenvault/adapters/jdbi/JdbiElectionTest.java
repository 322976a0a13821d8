package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.ports.contract.ElectionContract;
import io.tokenvault.ports.spi.Duty;
import io.tokenvault.ports.spi.Election;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JdbiElectionTest extends ElectionContract {

  private static final TestDatabase DATABASE = TestDatabase.empty();

  private static final String HELD =
      "SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database"
          + " WHERE locktype = 'advisory' AND datname = current_database()";

  private final Map<Election, Relay> nodes = new IdentityHashMap<>();

  @Override
  protected Election join() {
    return join(JdbiElection.SILENCE);
  }

  private Election join(Duration silence) {
    Relay relay = Relay.to(DATABASE.port());
    DatabaseSettings settings =
        DATABASE.settings(DATABASE.urlThrough(relay.port()), TestDatabase.LIMITS, 1);
    Election node = new JdbiElection(new Connections(settings).bounded(), silence);
    nodes.put(node, relay);
    return node;
  }

  @Override
  protected void leave(Election node) {
    ((JdbiElection) node).close();
  }

  @Override
  protected void cut(Election node) {
    nodes.get(node).close();
  }

  @Override
  protected void closeAll() {
    nodes.keySet().forEach(this::leave);
    nodes.values().forEach(Relay::close);
    // The server notices the end of a session in its own time.
    eventually(() -> DATABASE.asOwner(HELD).isEmpty());
  }

  @Test
  void aNodeThatIsSilentForTooLongIsFollowedByAnother() {
    Election hanging = join(Duration.ofSeconds(1));
    Election other = join();
    assertThat(isElected(hanging, Duty.SWEEPING)).isTrue();
    nodes.get(hanging).freeze();
    eventually(() -> isElected(other, Duty.SWEEPING));
  }

  @Test
  void whoShowsItselfIsNotSilent() {
    Election busy = join(Duration.ofSeconds(1));
    Election other = join();
    assertThat(isElected(busy, Duty.SWEEPING)).isTrue();
    for (int i = 0; i < 8; i++) {
      pause(Duration.ofMillis(250));
      busy.show();
    }
    assertThat(isElected(other, Duty.SWEEPING)).isFalse();
  }

  @Test
  void aSessionThatTheDatabaseEndedIsOpenedAgain() {
    Election node = join();
    assertThat(isElected(node, Duty.SWEEPING)).isTrue();
    DATABASE.asOwner("SELECT pg_terminate_backend(pid) FROM (%s) AS held".formatted(HELD));
    eventually(() -> isElectedOrLost(node));
  }

  private static boolean isElectedOrLost(Election node) {
    try {
      return isElected(node, Duty.SWEEPING);
    } catch (RuntimeException lost) {
      return false;
    }
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
