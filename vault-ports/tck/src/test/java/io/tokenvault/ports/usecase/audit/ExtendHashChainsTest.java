package io.tokenvault.ports.usecase.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.memory.SmallLogKeys;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ExtendHashChainsTest {

  private final Backlog backlog = new Backlog();
  private final ExtendHashChains chains = new ExtendHashChains(backlog, new SmallLogKeys());

  @Test
  void wholeBacklogIsChainedInRounds() {
    assertThat(chains.run()).isEqualTo(25_000);

    assertThat(backlog.rounds).isEqualTo(3);
  }

  @Test
  void singleRoundLeavesRestOfLongBacklog() {
    assertThat(chains.runOnce()).isEqualTo(10_000);

    assertThat(backlog.rounds).isEqualTo(1);
  }

  /** A store with 25,000 unchained entries that counts the rounds. */
  private static final class Backlog implements HashChainStore {

    private int remaining = 25_000;
    private int rounds;

    @Override
    public OptionalInt extend(int limit, Linker unused) {
      rounds++;
      int chained = Math.min(limit, remaining);
      remaining -= chained;
      return OptionalInt.of(chained);
    }

    @Override
    public Ends ends() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<TenantId> tenants() {
      throw new UnsupportedOperationException();
    }
  }
}
