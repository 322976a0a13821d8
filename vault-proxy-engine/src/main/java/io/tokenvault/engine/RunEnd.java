package io.tokenvault.engine;

import io.tokenvault.ports.api.CallerPresence;
import java.util.ArrayList;
import java.util.List;

/** To what a transform has asked for, its run is the caller: it is gone when the run is over. */
final class RunEnd implements CallerPresence {

  private final List<Runnable> actions = new ArrayList<>();
  private boolean over;

  @Override
  public void whenGone(Runnable action) {
    if (!added(action)) {
      action.run();
    }
  }

  private synchronized boolean added(Runnable action) {
    return !over && actions.add(action);
  }

  synchronized boolean isOver() {
    return over;
  }

  /** Can be called again, to no effect. */
  void come() {
    ended().forEach(Runnable::run);
  }

  private synchronized List<Runnable> ended() {
    over = true;
    List<Runnable> left = List.copyOf(actions);
    actions.clear();
    return left;
  }
}
