package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.ports.spi.KeysetNode;
import io.tokenvault.ports.spi.KeysetRegistry;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * What nodes agree on is kept in the first database, whose lock is everybody's. What concerns
 * others is committed there before the first one commits: if that fails, entries tell of something
 * that was not done, and never the other way round.
 */
record RoutedRegistry(Shards shards) implements KeysetRegistry {

  private <T> T ask(Function<KeysetRegistry, T> question) {
    return shards.home().ask(ports -> question.apply(ports.stores().keysetRegistry()));
  }

  @Override
  public <T> T exclusively(Function<Ledger, T> work) {
    return ask(
        registry ->
            registry.exclusively(
                ledger -> {
                  SpreadLedger spread = new SpreadLedger(ledger, shards);
                  T result = work.apply(spread);
                  spread.commitOthers();
                  return result;
                }));
  }

  @Override
  public List<KeysetNode> liveNodes() {
    return ask(KeysetRegistry::liveNodes);
  }

  @Override
  public void withdraw(UUID node) {
    ask(
        registry -> {
          registry.withdraw(node);
          return node;
        });
  }
}
