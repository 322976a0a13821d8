package io.tokenvault.engine.transform;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.TransformRuntime;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.InvokedProxy;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import io.tokenvault.ports.usecase.proxy.ProxyTransform;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the programs of a proxy's transforms and compiles outdated ones.
 *
 * <p>Code that was compiled by another compiler version is compiled again, once for all requests
 * that wait for it. The result is stored for all nodes and also cached in memory, since a node with
 * another version may replace the stored one. Thread-safe.
 */
public final class Programs {

  private static final int MAX_PROGRAMS = 64;
  private static final int MAX_CHARACTERS = 16 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Programs.class);

  private final ProxyInvocations invocations;
  private final TransformRuntime runtime;

  /** The compilations in progress, by the key of their transforms. */
  private final Map<String, CompletableFuture<Compilation>> inProgress = new ConcurrentHashMap<>();

  /**
   * The programs that this node compiled from outdated ones, by the key of their transforms.
   *
   * <p>During an upgrade, nodes with different compilers each run their own program from here
   * instead of replacing the stored program of the others on every invocation. There are at most 64
   * of them, fewer if they are long.
   */
  private final Cache<String, Compilation.Compiled> ownPrograms =
      Caffeine.newBuilder()
          .maximumWeight(MAX_CHARACTERS)
          .weigher((String key, Compilation.Compiled compiled) -> weight(compiled.transform()))
          .executor(Runnable::run)
          .build();

  public Programs(ProxyInvocations invocations, TransformRuntime runtime) {
    this.invocations = invocations;
    this.runtime = runtime;
  }

  /**
   * Returns the programs of all transforms of a proxy, ready to run.
   *
   * <p>Compiles outdated ones, which can take seconds, and stores the results.
   *
   * @throws VaultException if the code no longer compiles, or no worker is free to compile it
   */
  public Map<TransformKind, Program> of(Admission admission) {
    return of(admission, (transform, made) -> keep(admission, transform, made));
  }

  /** Returns the programs of a proxy for a dry run, which stores nothing. */
  public Map<TransformKind, Program> ofDryRun(InvokedProxy invoked) {
    return of(invoked, (transform, made) -> {});
  }

  /**
   * Returns the programs of a proxy.
   *
   * @param keeping handles the result when an outdated transform has been compiled again
   */
  private Map<TransformKind, Program> of(
      InvokedProxy invoked, BiConsumer<ProxyTransform, Compilation> keeping) {
    Map<TransformKind, Program> programs = new EnumMap<>(TransformKind.class);
    for (TransformKind kind : TransformKind.values()) {
      Optional<ProxyTransform> transform = invoked.transform(kind);
      transform.ifPresent(each -> programs.put(kind, program(each, keeping)));
    }
    return programs;
  }

  /**
   * Returns the stored program if it fits the compiler of this node; otherwise one that is compiled
   * here. The key of such a program includes the compiler, so that workers do not confuse the two.
   */
  private Program program(
      ProxyTransform transform, BiConsumer<ProxyTransform, Compilation> keeping) {
    if (transform.compiler().equals(runtime.compiler())) {
      return new Program(
          transform.kind(), transform.tenantId(), transform.key(), transform::compiled);
    }
    Compilation compilation =
        Optional.<Compilation>ofNullable(ownPrograms.getIfPresent(transform.key()))
            .orElseGet(() -> compile(transform, keeping));
    CompiledTransform recompiled = compiled(transform, compilation);
    String key = transform.key() + "/" + recompiled.compiler();
    return new Program(transform.kind(), transform.tenantId(), key, () -> recompiled);
  }

  private static CompiledTransform compiled(ProxyTransform transform, Compilation compilation) {
    if (compilation instanceof Compilation.Refused refused) {
      int line = refused.flaws().get(0).line();
      // The text is the same in a dry run.
      throw new TransformFailures(transform.kind(), false).outdated(line);
    }
    return ((Compilation.Compiled) compilation).transform();
  }

  /** Compiles a transform, or waits for the thread that is already compiling it. */
  private Compilation compile(
      ProxyTransform transform, BiConsumer<ProxyTransform, Compilation> keeping) {
    CompletableFuture<Compilation> pending = new CompletableFuture<>();
    CompletableFuture<Compilation> other = inProgress.putIfAbsent(transform.key(), pending);
    if (other != null) {
      return await(other);
    }
    try {
      Compilation compilation = runtime.compile(transform.tenantId(), transform.code());
      pending.complete(compilation);
      keeping.accept(transform, compilation);
      return compilation;
    } catch (VaultException refused) {
      pending.completeExceptionally(refused);
      throw refused;
    } finally {
      // Releases the waiting threads even if an unexpected exception ended the compilation.
      pending.cancel(false);
      inProgress.remove(transform.key(), pending);
    }
  }

  private static Compilation await(CompletableFuture<Compilation> other) {
    try {
      return other.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof VaultException refused ? refused : failed;
    }
  }

  /**
   * Caches a compiled program and stores it in the database on a best-effort basis: if that fails,
   * other nodes compile the code again.
   */
  private void keep(Admission admission, ProxyTransform transform, Compilation compilation) {
    if (compilation instanceof Compilation.Compiled compiled) {
      ownPrograms.put(transform.key(), compiled);
      try {
        invocations.keepCompiled(admission, transform, compiled.transform());
      } catch (RuntimeException failed) {
        LOG.warn("Could not store a compiled transform: {}", failed.getClass().getName());
      }
    }
  }

  /** Returns the characters of a program, or the share of one of the most that are cached. */
  private static int weight(CompiledTransform compiled) {
    return Math.max(MAX_CHARACTERS / MAX_PROGRAMS, compiled.program().length());
  }
}
