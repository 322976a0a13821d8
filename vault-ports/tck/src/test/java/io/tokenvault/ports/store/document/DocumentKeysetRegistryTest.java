package io.tokenvault.ports.store.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.memory.InMemoryStores;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class DocumentKeysetRegistryTest {

  private Instant now = Instant.parse("2026-01-02T03:04:05Z");
  private final InMemoryStores fixture = new InMemoryStores(() -> now);
  private final KeysetRegistry registry = fixture.stores().keysetRegistry();

  private void announce(UUID node) {
    registry.exclusively(
        ledger -> {
          ledger.announce(node, Set.of());
          return node;
        });
  }

  @Test
  void nodeThatWasNotSeenForADayIsForgotten() {
    Instant start = now;
    UUID restarted = UUID.randomUUID();
    announce(UUID.randomUUID());

    now = start.plus(Duration.ofDays(1)).plusSeconds(1);
    announce(restarted);
    now = start;

    assertThat(registry.liveNodes())
        .extracting(KeysetRegistry.KeysetNode::id)
        .containsExactly(restarted);
  }
}
