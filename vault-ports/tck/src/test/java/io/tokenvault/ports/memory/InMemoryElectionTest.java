package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.runtime.ElectionContract;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

final class InMemoryElectionTest extends ElectionContract {

  private final Map<LeaderTask, InMemoryElection> elected = new ConcurrentHashMap<>();

  @Override
  protected LeaderElection join() {
    return new InMemoryElection(elected);
  }

  @Override
  protected void leave(LeaderElection node) {
    ((InMemoryElection) node).leave();
  }

  @Override
  protected void cut(LeaderElection node) {
    leave(node);
  }

  @Override
  protected void closeAll() {
    elected.clear();
  }
}
