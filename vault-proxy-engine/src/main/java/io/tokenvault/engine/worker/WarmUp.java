package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.ToWorker.Invoke;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.worker.Invocation.HostCalls;
import io.tokenvault.engine.worker.compile.ScriptResources;
import io.tokenvault.engine.worker.realm.Realm;
import io.tokenvault.engine.worker.realm.ScriptContext.ScriptContextFactory;
import io.tokenvault.engine.worker.realm.UsageMeter;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Runs a sample transform until the JVM has compiled the code that transforms use. */
final class WarmUp {

  /** The number of runs, sufficient for the JVM to compile the interpreter. */
  private static final int RUNS = 200;

  /** The number of runs before a worker is ready: they load the classes. */
  private static final int RUNS_UNTIL_READY = 20;

  /**
   * The number of runs after which the sample is parsed again, in order to warm up the parser too.
   */
  private static final int RUNS_PER_PARSING = 20;

  private static final Limits LIMITS =
      new Limits(60_000, 60_000, Long.MAX_VALUE, Long.MAX_VALUE, 1 << 20, 1);

  private static final String CONTEXT =
      """
      {"headers":{"content-type":"application/json","accept":"*/*"},"method":"POST","path":"/",
      "query":"","configuration":{"MERCHANT_ID":"m","SECRET":"s","TIMESTAMP":"1"}}
      """;

  private final ScriptContextFactory contexts;
  private final Supplier<Realm> realms;
  private final HostCalls server;
  private final Program sample = new Program(resource("warm-up.js"));
  private final Invoke invoke =
      new Invoke(
          "",
          LIMITS,
          BodyKind.JSON,
          resource("warm-up.json").getBytes(StandardCharsets.UTF_8),
          CONTEXT);
  private LoadedProgram loaded;
  private int done;

  /**
   * Creates a warm-up.
   *
   * @param server the connection of the worker; the sample makes no calls
   */
  WarmUp(ScriptContextFactory contexts, Supplier<Realm> realms, HostCalls server) {
    this.contexts = contexts;
    this.realms = realms;
    this.server = server;
  }

  /**
   * Runs the sample as often as a worker needs before it is ready.
   *
   * @throws IllegalStateException if the sample fails, so that a defective worker does not start
   */
  void untilReady() {
    run(RUNS_UNTIL_READY, () -> true);
  }

  /**
   * Continues the warm-up.
   *
   * @param unused returns whether the worker has got no transform
   */
  void continueWhile(BooleanSupplier unused) {
    run(RUNS, unused);
  }

  private void run(int runs, BooleanSupplier condition) {
    for (; done < runs && condition.getAsBoolean(); done++) {
      if (done % RUNS_PER_PARSING == 0) {
        loaded = LoadedProgram.parse(sample);
      }
      runOnce();
    }
  }

  private void runOnce() {
    UsageMeter meter = new UsageMeter(LIMITS);
    Finished finished =
        new Invocation(realms.get(), loaded, new ModuleStore(), meter, server)
            .invoke(contexts, invoke);
    if (!(finished.outcome() instanceof Outcome.Returned)) {
      throw new IllegalStateException("the worker does not work");
    }
  }

  private static String resource(String name) {
    return ScriptResources.text(WarmUp.class, name);
  }
}
