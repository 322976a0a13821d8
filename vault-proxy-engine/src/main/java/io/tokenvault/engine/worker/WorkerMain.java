package io.tokenvault.engine.worker;

import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import io.tokenvault.engine.worker.node.NodeSurface;
import io.tokenvault.engine.worker.realm.Realm;
import io.tokenvault.engine.worker.realm.RealmFactory;
import io.tokenvault.engine.worker.realm.ScriptContext.ScriptContextFactory;
import io.tokenvault.engine.worker.realm.UsageMeter;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Entry point of the worker process. It exchanges messages with the server over its standard
 * streams and ends with them.
 *
 * <p>Exit codes: 2 after a limit that the watchdog enforced, 3 if memory ran out, 0 or 1 otherwise.
 */
public final class WorkerMain {

  /** Enough for scripts that re-enter themselves through the engine about a thousand times. */
  private static final long STACK_BYTES = 16L << 20;

  private WorkerMain() {}

  /** Runs the worker until the server closes standard input. */
  public static void main(String[] args) throws InterruptedException {
    InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    discardOutput();
    Locale.setDefault(Locale.ROOT);
    TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    WorkerChannel channel = new WorkerChannel(in, out, () -> Runtime.getRuntime().halt(0));
    Watchdog watchdog = new Watchdog(channel::readAhead, kind -> kill(channel, kind));
    TaskLoop worker = new TaskLoop(channel, watchdog);
    if (channel.next() instanceof ToWorker.Begin begin) {
      long stack = begin.compiler() ? TransformCompiler.STACK_BYTES : STACK_BYTES;
      Thread thread = new Thread(null, () -> worker.run(begin), "worker", stack);
      thread.start();
      thread.join();
    }
    Runtime.getRuntime().halt(1);
  }

  /** Discards output of libraries, which must not mix with messages or reach the server's log. */
  private static void discardOutput() {
    PrintStream nothing = new PrintStream(OutputStream.nullOutputStream(), false);
    System.setOut(nothing);
    System.setErr(nothing);
    System.setIn(InputStream.nullInputStream());
  }

  /** Reports the exceeded limit and ends the process. */
  private static void kill(WorkerChannel channel, FailureKind kind) {
    Outcome outcome = new Outcome.Failed(kind, Position.UNKNOWN);
    try {
      channel.send(new Finished(outcome, List.of()));
    } finally {
      Runtime.getRuntime().halt(2);
    }
  }

  /**
   * Main loop of the worker: handles the messages of the server, one after the other, on one
   * thread.
   */
  static final class TaskLoop {

    private final WorkerChannel channel;
    private final Watchdog watchdog;
    private final ScriptContextFactory contexts = new ScriptContextFactory();

    /** The transforms by key, as {@link ToWorker.Load} sent them. */
    private final Map<String, LoadedProgram> transforms = new HashMap<>();

    private final ModuleStore modules = new ModuleStore();

    private TransformCompiler compiler;
    private Realms realms;

    TaskLoop(WorkerChannel channel, Watchdog watchdog) {
      this.channel = channel;
      this.watchdog = watchdog;
    }

    /**
     * Runs until the server closes the pipe.
     *
     * @param begin the first message, which decides whether this worker compiles or runs transforms
     */
    void run(ToWorker.Begin begin) {
      channel.readAhead();
      if (begin.compiler()) {
        compiler = TransformCompiler.load(begin.errorModules());
        channel.send(new FromWorker.Ready());
      } else {
        beginRunning(begin);
      }
      for (ToWorker message = channel.next(); message != null; message = channel.next()) {
        handle(message);
      }
    }

    private void handle(ToWorker message) {
      if (message instanceof ToWorker.Load load) {
        load(load);
      } else if (message instanceof ToWorker.Invoke invoke) {
        channel.send(invoke(invoke));
      } else if (message instanceof ToWorker.Probe probe) {
        channel.send(probe(probe));
      } else if (message instanceof ToWorker.Compile compile) {
        channel.send(compile(compile));
      }
      // A reply at this point belongs to an invocation that has ended, and is ignored.
    }

    /**
     * Compiles a source. Only the watchdog enforces the CPU time limit, since the compiler does not
     * check it.
     */
    private FromWorker compile(ToWorker.Compile compile) {
      watchdog.started(new UsageMeter(cpuTime(compile.cpuMillis())));
      try {
        return compiler.compile(compile);
      } finally {
        watchdog.ended();
      }
    }

    /**
     * Returns limits of CPU time only: the server limits the elapsed time, and the heap the memory.
     */
    private static Limits cpuTime(long millis) {
      return new Limits(millis, TimeUnit.DAYS.toMillis(1), Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);
    }

    /**
     * Warms up the interpreter and reports that the worker is ready, then continues the warm-up
     * until a message arrives.
     */
    private void beginRunning(ToWorker.Begin begin) {
      NodeSurface surface = contexts.unmetered(cx -> NodeSurface.load(begin.errorModules()));
      realms = new Realms(new RealmFactory(contexts, surface));
      WarmUp warmUp = new WarmUp(contexts, realms, channel);
      warmUp.untilReady();
      realms.start();
      channel.send(new FromWorker.Ready());
      warmUp.continueWhile(channel::isIdle);
    }

    /** Parses a transform. A failure is reported by the first invocation that uses it. */
    private void load(ToWorker.Load load) {
      channel.readAhead();
      modules.begin(load.generation());
      transforms.put(load.key(), LoadedProgram.parse(load.program()));
    }

    private Finished invoke(ToWorker.Invoke invoke) {
      return run(invoke.key(), invoke.limits(), invocation -> invocation.invoke(contexts, invoke));
    }

    private Finished probe(ToWorker.Probe probe) {
      return run(probe.key(), probe.limits(), invocation -> invocation.probe(contexts));
    }

    /** Runs a transform in a new realm under the supervision of the watchdog. */
    private Finished run(String key, Limits limits, Function<Invocation, Finished> work) {
      LoadedProgram transform = transforms.get(key);
      if (transform == null || transform.flaw() != null) {
        return notLoaded(transform == null ? Position.UNKNOWN : transform.flaw());
      }
      Realm realm = realms.get();
      UsageMeter meter = new UsageMeter(limits);
      watchdog.started(meter);
      try {
        return work.apply(new Invocation(realm, transform, modules, meter, channel));
      } finally {
        watchdog.ended();
      }
    }

    private static Finished notLoaded(Position position) {
      return new Finished(new Outcome.Failed(FailureKind.NOT_LOADED, position), List.of());
    }

    /** Supply of realms, built ahead on another thread. A realm is supplied only once. */
    private static final class Realms implements Supplier<Realm> {

      /** The number of realms to keep ready. */
      private static final int AHEAD = 4;

      private final BlockingQueue<Realm> ready = new ArrayBlockingQueue<>(AHEAD);
      private final RealmFactory factory;

      Realms(RealmFactory factory) {
        this.factory = factory;
      }

      /** Starts building realms in the background. */
      void start() {
        Thread builder = new Thread(this::buildRealms, "realms");
        builder.setDaemon(true);
        builder.start();
      }

      private void buildRealms() {
        try {
          while (true) {
            ready.put(factory.build());
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }

      /**
       * Returns a realm that is ready, or builds one, which is faster than waiting for the other
       * thread.
       */
      @Override
      public Realm get() {
        Realm realm = ready.poll();
        return realm == null ? factory.build() : realm;
      }
    }
  }
}
