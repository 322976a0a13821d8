package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.ElectionContract;
import io.tokenvault.ports.spi.Duty;
import io.tokenvault.ports.spi.Election;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

final class InMemoryElectionTest extends ElectionContract {

  private final Map<Duty, InMemoryElection> elected = new ConcurrentHashMap<>();

  @Override
  protected Election join() {
    return new InMemoryElection(elected);
  }

  @Override
  protected void leave(Election node) {
    ((InMemoryElection) node).leave();
  }

  @Override
  protected void cut(Election node) {
    leave(node);
  }

  @Override
  protected void closeAll() {
    elected.clear();
  }
}
