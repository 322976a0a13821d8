package io.tokenvault.engine.worker;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/** Realms built ahead on a thread of their own and handed over, each once. */
final class Realms implements Supplier<Realm> {

  private static final int AHEAD = 4;

  private final BlockingQueue<Realm> ready = new ArrayBlockingQueue<>(AHEAD);
  private final RealmFactory factory;

  Realms(RealmFactory factory) {
    this.factory = factory;
  }

  void start() {
    Thread builder = new Thread(this::buildForever, "realms");
    builder.setDaemon(true);
    builder.start();
  }

  private void buildForever() {
    try {
      while (true) {
        ready.put(factory.build());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Builds one at once if none is ready: that takes less time than waiting for the other. */
  @Override
  public Realm get() {
    Realm realm = ready.poll();
    return realm == null ? factory.build() : realm;
  }
}
