package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tokenvault.engine.transform.TransformRunner;
import io.tokenvault.engine.transform.TransformRunner.Ending.Broken;
import io.tokenvault.engine.transform.TransformRunner.Ending.Said;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Measures how long transforms run and how they end: with a result, an error, at a limit, or
 * killed.
 */
final class MeasuredTransforms implements TransformRunner {

  private static final Duration[] BOUNDS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(2),
    Duration.ofSeconds(10)
  };

  private final TransformRunner runner;
  private final MeterRegistry registry;
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  MeasuredTransforms(TransformRunner runner, MeterRegistry registry) {
    this.runner = runner;
    this.registry = registry;
  }

  @Override
  public Ending run(Run run, Host host) {
    long start = System.nanoTime();
    Ending ending = runner.run(run, host);
    timers
        .computeIfAbsent(name(ending), this::timer)
        .record(Duration.ofNanos(System.nanoTime() - start));
    return ending;
  }

  private Timer timer(String ending) {
    return Timer.builder("vault.transform.runs")
        .description("Runs of transforms, with the wait for a worker")
        .tag("ending", ending)
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  /**
   * Returns the label of an ending. A worker whose run did not finish was killed or died, unless no
   * worker was available or a module was missing.
   */
  private static String name(Ending ending) {
    if (ending instanceof Said said) {
      return name(said.finished().outcome());
    }
    return switch (((Broken) ending).reason()) {
      case TIME -> "killed_time";
      case MEMORY -> "killed_memory";
      case DIED -> "died";
      case BUSY -> "no_worker";
      case MODULE_GONE -> "module_gone";
    };
  }

  /** Returns the label of a finished run: returned, threw, or the kind of its failure. */
  private static String name(Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed) {
      return failed.kind().name().toLowerCase(Locale.ROOT);
    }
    return outcome instanceof Outcome.Threw ? "threw" : "returned";
  }
}
