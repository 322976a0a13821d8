package io.tokenvault.engine.transform;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.TransformRunner.Ending.Broken;
import io.tokenvault.engine.transform.TransformRunner.Ending.Reported;
import io.tokenvault.engine.transform.isolation.IsolatedProgram;
import io.tokenvault.engine.transform.isolation.IsolationLevel;
import io.tokenvault.engine.transform.module.CachedModuleCompiler;
import io.tokenvault.engine.transform.module.ModuleLibrary;
import io.tokenvault.engine.transform.module.OperatorModules;
import io.tokenvault.engine.transform.module.OperatorModules.ModuleReport;
import io.tokenvault.engine.transform.pool.CallBudget;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.WorkerFailedException;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.transform.pool.WorkerPool;
import io.tokenvault.engine.transform.pool.WorkerProcess.WorkerLauncher;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.wire.ToWorker.Begin;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.usecase.proxy.CompiledModules;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Compiles and runs transforms in worker processes.
 *
 * <p>A worker serves one tenant until it ends, and has no data except the programs and inputs of
 * that tenant. Compilers and runners are separate pools, since a compiler needs much more memory.
 * Thread-safe.
 */
public final class WorkerTransforms implements TransformService {

  private final Settings settings;
  private final IsolatedProgram program = new IsolatedProgram();
  private final WorkerPool runners;
  private final WorkerPool compilers;
  private final CachedModuleCompiler moduleCompiler;
  private final ModuleLibrary modules;

  /**
   * Failures of the sources that took too long to compile. The hash of a source includes the
   * tenant: a tenant cannot find out whether another tenant has an identical one.
   */
  private final Cache<String, WorkerFailure> slowSources =
      Caffeine.newBuilder()
          .expireAfterWrite(Duration.ofMinutes(10))
          .maximumSize(1000)
          .executor(Runnable::run)
          .build();

  /**
   * Creates the runtime. Workers start when they are first needed, or on {@link #startSpares}.
   *
   * @throws IllegalArgumentException if the folder of modules cannot be used; the message gives the
   *     reason
   */
  public WorkerTransforms(Settings settings) {
    this.settings = settings;
    this.runners =
        new WorkerPool(
            settings.runners(),
            new WorkerLauncher(program::find, new Begin(false, settings.errorModules())));
    this.compilers =
        new WorkerPool(
            settings.compilers(),
            new WorkerLauncher(program::find, new Begin(true, settings.errorModules())));
    this.moduleCompiler = new CachedModuleCompiler(compilers, settings.compileLimit());
    this.modules = new ModuleLibrary(settings.modules(), moduleCompiler);
  }

  /**
   * Starts the spare workers, and compiles the operator's modules, in the background.
   *
   * <p>They take processor time, so call this after the server has begun to accept requests, or
   * long before. Call it only once.
   */
  @Override
  public void startSpares() {
    runners.startSpares();
    modules.start();
  }

  @Override
  public void cacheModules(CompiledModules shared) {
    moduleCompiler.cache(shared);
  }

  @Override
  public Optional<ModuleStatus> modules() {
    return modules.status();
  }

  /**
   * Checks the operator's modules as the folder has them now.
   *
   * @param reports receives the report for each module or package, as soon as it is known
   * @throws RefusedException if no worker is free or can be started
   */
  public void checkModules(Consumer<ModuleReport> reports) {
    modules.current().check(this, reports);
  }

  /**
   * Returns the level at which the operating system isolates workers here, which takes the start of
   * a process to find out.
   *
   * @throws io.tokenvault.engine.transform.isolation.IsolatedProgram.UnusableProgramException if
   *     the classes of workers cannot be used
   */
  public IsolationLevel confinement() {
    return program.find().isolation().level();
  }

  @Override
  public String compiler() {
    return TransformCompiler.VERSION;
  }

  /**
   * Compiles a transform and loads it once without calling its function.
   *
   * @return the program, or the flaws of the code, which include exceeded time and memory limits
   * @throws RefusedException if no worker is free or can be started
   */
  @Override
  public Compilation compile(TenantId tenantId, TransformCode code) {
    try {
      FromWorker response = compileQuickly(tenantId, code.source());
      return response instanceof FromWorker.Compiled compiled
          ? probe(tenantId, compiled)
          : refused((FromWorker.Refused) response);
    } catch (WorkerFailedException failed) {
      return refusedOrUnavailable(failed, "compiling it");
    }
  }

  /**
   * Compiles a source unless it is known to take too long, which is checked before and after the
   * wait for a worker.
   */
  private FromWorker compileQuickly(TenantId tenantId, String source) throws WorkerFailedException {
    String hash = CachedModuleCompiler.hash(tenantId.toString(), source);
    requireNotSlow(hash);
    ToWorker.Compile compile =
        new ToWorker.Compile(source, false, settings.compileCpu().toMillis());
    return compilers.run(
        tenantId.value(),
        worker -> {
          requireNotSlow(hash);
          try {
            return worker.compile(compile, settings.compileLimit());
          } catch (WorkerFailedException failed) {
            if (failed.failure().isOutOfTime()) {
              slowSources.put(hash, failed.failure());
            }
            throw failed;
          }
        });
  }

  private void requireNotSlow(String hash) throws WorkerFailedException {
    WorkerFailure known = slowSources.getIfPresent(hash);
    if (known != null) {
      throw new WorkerFailedException(known);
    }
  }

  private static Compilation refused(FromWorker.Refused refused) {
    return new Compilation.Refused(
        refused.flaws().stream()
            .map(flaw -> new Compilation.Flaw(flaw.line(), flaw.column(), flaw.message()))
            .toList());
  }

  private static Compilation refused(int line, String message) {
    return new Compilation.Refused(List.of(new Compilation.Flaw(Math.max(1, line), 1, message)));
  }

  /**
   * Translates a failure of a worker. Limits that the code exceeded are flaws of the code; a lack
   * of workers is an overload of the vault.
   */
  private Compilation refusedOrUnavailable(WorkerFailedException failed, String what) {
    return switch (failed.failure()) {
      case OUT_OF_CPU_TIME ->
          refused(
              1,
              "takes more than %s s of CPU time to compile; write shorter or less nested functions"
                  .formatted(
                      BigDecimal.valueOf(settings.compileCpu().toMillis(), 3)
                          .stripTrailingZeros()
                          .toPlainString()));
      case TIMED_OUT -> refused(1, what + " takes too long");
      case OUT_OF_MEMORY -> refused(1, what + " takes too much memory");
      case DIED -> refused(1, what + " crashes the worker process");
      case CANNOT_START, BUSY, STOPPED, OFF ->
          throw CachedModuleCompiler.unavailable(failed.failure());
    };
  }

  /** Runs the code once without calling its function, in order to find errors on loading. */
  private Compilation probe(TenantId tenantId, FromWorker.Compiled compiled) {
    CompiledTransform transform =
        new CompiledTransform(compiler(), compiled.code(), compiled.requires());
    ToWorker.Probe probe = new ToWorker.Probe("probe/" + UUID.randomUUID(), settings.limits());
    try {
      OperatorModules present = modules.current();
      present.prepare(compiled.requires());
      FromWorker.Finished finished =
          runners.run(
              tenantId.value(),
              worker ->
                  worker.probe(
                      probe, () -> load(probe.key(), transform, present), present::provide));
      return finished.outcome() instanceof Outcome.Returned
          ? new Compilation.Compiled(transform)
          : notLoaded(finished);
    } catch (WorkerFailedException failed) {
      return refusedOrUnavailable(failed, "loading it");
    }
  }

  /**
   * Returns the flaw of code that compiled but did not load. It has the text of the error, which
   * cannot quote data: there is none before the function is called.
   */
  private static Compilation notLoaded(FromWorker.Finished finished) {
    Outcome outcome = finished.outcome();
    Position position = Position.UNKNOWN;
    String reason = "throws while loading";
    if (outcome instanceof Outcome.Failed failed) {
      position = failed.position();
      reason = finished.thrown().isPresent() ? reason : why(failed.kind());
    } else if (outcome instanceof Outcome.ErrorThrown threw) {
      position = threw.position();
    }
    String thrown =
        finished
            .thrown()
            .map(each -> ": " + (each.name().isEmpty() ? "" : each.name() + ": ") + each.message())
            .orElse("")
            .replace('\n', ' ');
    return refused(
        position.module().isEmpty() ? position.line() : 1, reason + in(position) + thrown);
  }

  private static String why(FailureKind kind) {
    return switch (kind) {
      case NO_FUNCTION ->
          "must export a function, such as module.exports = async function (req) { ... }";
      case CPU_TIME, WALL_TIME, INSTRUCTIONS -> "takes too long to load";
      case ALLOCATION, OUTPUT_SIZE -> "takes too much memory to load";
      case STACK -> "recurses too deeply while loading";
      case NOT_LOADED -> "cannot be parsed";
      case ENGINE_ERROR, BAD_RESULT, NEVER_SETTLES -> "fails while loading";
    };
  }

  /**
   * Names the module and line of a failure in an operator's module; empty for the transform itself.
   */
  private static String in(Position position) {
    return position.module().isEmpty()
        ? ""
        : " (in the module %s, line %s)".formatted(position.module(), position.line());
  }

  /**
   * Runs a transform in a worker of its tenant.
   *
   * <p>A failure of the worker is translated into a reason and never thrown.
   */
  @Override
  public Ending run(Run run, Host host) {
    Limits limits = settings.limits();
    OperatorModules present = modules.current();
    String key = run.program().key() + "/" + present.generation();
    ToWorker.Invoke invocation =
        new ToWorker.Invoke(
            key, limits, run.content().kind(), run.content().bytes(), run.context());
    CallBudget budget =
        new CallBudget(call -> reply(host, call), limits.maxCalls(), present::provide);
    try {
      return new Reported(
          runners.run(
              run.program().tenantId().value(),
              worker -> worker.invoke(invocation, () -> prepared(key, run, present), budget)));
    } catch (WorkerFailedException failed) {
      return new Broken(failed.failure());
    }
  }

  /** Returns the program, its modules compiled; called only if the worker does not have it yet. */
  private static ToWorker.Load prepared(String key, Run run, OperatorModules present) {
    CompiledTransform compiled = run.program().compiled().get();
    present.prepare(compiled.requires());
    return load(key, compiled, present);
  }

  private static ToWorker.Load load(
      String key, CompiledTransform transform, OperatorModules present) {
    return new ToWorker.Load(
        key,
        present.generation(),
        new Program("", transform.program(), present.resolutions(transform.requires())));
  }

  private static ToWorker.Reply reply(Host host, FromWorker.Call call) {
    Host.Reply reply = host.call(call.operation(), call.json());
    return new ToWorker.Reply(call.callId(), reply.ok(), reply.json());
  }

  @Override
  public void close() {
    modules.close();
    runners.close();
    compilers.close();
    program.close();
  }

  /**
   * Settings that an operator can choose.
   *
   * @param compileCpu the CPU time that compiling a transform may take
   * @param compileLimit the elapsed time that compiling may take; the only limit for operator
   *     modules
   * @param modules a folder of modules that transforms may require; empty for none
   * @param errorModules additional names of the module with the error classes
   */
  public record Settings(
      PoolSettings runners,
      PoolSettings compilers,
      Limits limits,
      Duration compileCpu,
      Duration compileLimit,
      Optional<Path> modules,
      List<String> errorModules) {
    public Settings {
      Objects.requireNonNull(runners, "runners");
      Objects.requireNonNull(compilers, "compilers");
      Objects.requireNonNull(limits, "limits");
      Objects.requireNonNull(compileCpu, "compileCpu");
      Objects.requireNonNull(compileLimit, "compileLimit");
      Objects.requireNonNull(modules, "modules");
      errorModules = List.copyOf(errorModules);
    }
  }
}
