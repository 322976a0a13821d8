package io.tokenvault.engine;

import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.engine.wire.FromWorker.ConsoleLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs one transform, and keeps how long it took and what it wrote. For one thread. */
final class ObservedRunner implements TransformRunner {

  private final TransformRunner runner;
  private Optional<Duration> duration = Optional.empty();
  private List<ConsoleLine> console = List.of();

  ObservedRunner(TransformRunner runner) {
    this.runner = runner;
  }

  @Override
  public Ending run(Run run, Host host) {
    long began = System.nanoTime();
    Ending ending = runner.run(run, host);
    duration = Optional.of(Duration.ofNanos(System.nanoTime() - began));
    if (ending instanceof Ending.Said said) {
      console = said.finished().console();
    }
    return ending;
  }

  /** Empty if nothing has run. */
  Optional<Duration> duration() {
    return duration;
  }

  List<ConsoleLine> console() {
    return console;
  }
}
