package io.tokenvault.engine.transform.module;

import io.tokenvault.domain.Sha256;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.transform.pool.WorkerFailedException;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.transform.pool.WorkerPool;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.usecase.proxy.CompiledModules;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiler of modules in worker processes, with a cache that other nodes share. Thread-safe.
 *
 * <p>All tenants use these modules, so no tenant's worker may compile them.
 */
public final class CachedModuleCompiler implements OperatorModules.ModuleCompiler {

  private static final Logger LOG = LoggerFactory.getLogger(CachedModuleCompiler.class);

  /** The owner of the workers. */
  private static final UUID OPERATOR = new UUID(0, 0);

  private final WorkerPool workers;
  private final Duration limit;
  private volatile Optional<CompiledModules> cache = Optional.empty();

  /**
   * Creates a compiler without a cache.
   *
   * @param limit the time that compiling a module may take
   */
  public CachedModuleCompiler(WorkerPool workers, Duration limit) {
    this.workers = workers;
    this.limit = limit;
  }

  /** Returns the SHA-256 hash of a source after its context, in hexadecimal digits. */
  public static String hash(String context, String source) {
    MessageDigest digest = Sha256.digest();
    digest.update(context.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(source.getBytes(StandardCharsets.UTF_8)));
  }

  /** Uses a cache from now on. */
  public void cache(CompiledModules shared) {
    cache = Optional.of(shared);
  }

  @Override
  public Compiled compile(String id, String source) {
    String hash = hash(TransformCompiler.VERSION + "\n", source);
    Optional<CompiledTransform> known = cache.flatMap(shared -> find(shared, hash));
    if (known.isPresent()) {
      return new Compiled(known.get().program(), known.get().requires());
    }
    Compiled made = compileUncached(id, source);
    CompiledTransform module =
        new CompiledTransform(TransformCompiler.VERSION, made.code(), made.requires());
    cache.ifPresent(shared -> save(shared, hash, module));
    return made;
  }

  /** Returns a module from the cache; empty if it cannot be read, and is therefore replaced. */
  private static Optional<CompiledTransform> find(CompiledModules shared, String hash) {
    try {
      return shared.find(TransformCompiler.VERSION, hash);
    } catch (RuntimeException unreadable) {
      LOG.warn("A compiled module could not be read: {}", unreadable.getClass().getName());
      return Optional.empty();
    }
  }

  private static void save(CompiledModules shared, String hash, CompiledTransform module) {
    try {
      shared.save(hash, module);
    } catch (RuntimeException failed) {
      LOG.warn("A compiled module could not be stored: {}", failed.getClass().getName());
    }
  }

  private Compiled compileUncached(String id, String source) {
    try {
      ToWorker.Compile compile = new ToWorker.Compile(source, true, limit.toMillis());
      FromWorker response = workers.run(OPERATOR, worker -> worker.compile(compile, limit));
      if (response instanceof Compiled compiled) {
        return compiled;
      }
      FromWorker.Flaw flaw = ((FromWorker.Refused) response).flaws().get(0);
      throw new UnusableModuleException(id, flaw.line(), flaw.message());
    } catch (WorkerFailedException failed) {
      throw switch (failed.failure()) {
        case OUT_OF_CPU_TIME, TIMED_OUT ->
            UnusableModuleException.forNow(id, "takes too long to compile");
        case OUT_OF_MEMORY ->
            UnusableModuleException.forNow(id, "takes too much memory to compile");
        case DIED -> UnusableModuleException.forNow(id, "crashes the compiler");
        case CANNOT_START, BUSY, STOPPED, OFF -> unavailable(failed.failure());
      };
    }
  }

  /** Returns the failure to report if no worker compiled anything. */
  public static RefusedException unavailable(WorkerFailure failure) {
    return new RefusedException(
        FailureCause.OVERLOADED,
        failure == WorkerFailure.CANNOT_START
            ? "Cannot start a worker to compile the transform; try again."
            : "All workers for compiling transforms are busy; try again.");
  }
}
