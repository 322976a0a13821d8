package io.tokenvault.engine.transform;

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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds what is to be run. What another compiler made is compiled anew, once for all that wait for
 * it, and kept: for all nodes, and here in memory, since a node of another version may replace it.
 */
public final class Programs {

  private static final Logger LOG = LoggerFactory.getLogger(Programs.class);

  /** What becomes of what was compiled anew. */
  private interface Keeping {
    void keep(ProxyTransform transform, Compilation compilation);
  }

  private final ProxyInvocations invocations;
  private final TransformRuntime runtime;
  private final Map<String, CompletableFuture<Compilation>> underWay = new ConcurrentHashMap<>();
  private final OwnPrograms own = new OwnPrograms();

  public Programs(ProxyInvocations invocations, TransformRuntime runtime) {
    this.invocations = invocations;
    this.runtime = runtime;
  }

  /**
   * The transforms of the proxy; compiling can take seconds.
   *
   * @throws VaultException if code no longer compiles, or nothing is free to compile it
   */
  public Map<TransformKind, Program> of(Admission admission) {
    return of(admission, (transform, made) -> keep(admission, transform, made));
  }

  /** Returns the transforms of a proxy for a dry run, which changes nothing. */
  public Map<TransformKind, Program> ofDryRun(InvokedProxy invoked) {
    return of(invoked, (transform, made) -> {});
  }

  private Map<TransformKind, Program> of(InvokedProxy invoked, Keeping keeping) {
    Map<TransformKind, Program> programs = new EnumMap<>(TransformKind.class);
    for (TransformKind kind : TransformKind.values()) {
      Optional<ProxyTransform> transform = invoked.transform(kind);
      transform.ifPresent(each -> programs.put(kind, program(each, keeping)));
    }
    return programs;
  }

  private Program program(ProxyTransform transform, Keeping keeping) {
    if (transform.compiler().equals(runtime.compiler())) {
      return new Program(
          transform.kind(), transform.tenantId(), transform.key(), transform::compiled);
    }
    Compilation compilation =
        own.find(transform.key()).orElseGet(() -> compile(transform, keeping));
    CompiledTransform anew = compiled(transform, compilation);
    String key = transform.key() + "/" + anew.compiler();
    return new Program(transform.kind(), transform.tenantId(), key, () -> anew);
  }

  private static CompiledTransform compiled(ProxyTransform transform, Compilation compilation) {
    if (compilation instanceof Compilation.Refused refused) {
      throw TransformFailures.outdated(transform.kind(), refused.flaws().get(0).line());
    }
    return ((Compilation.Compiled) compilation).transform();
  }

  private Compilation compile(ProxyTransform transform, Keeping keeping) {
    CompletableFuture<Compilation> mine = new CompletableFuture<>();
    CompletableFuture<Compilation> other = underWay.putIfAbsent(transform.key(), mine);
    if (other != null) {
      return await(other);
    }
    try {
      Compilation compilation = runtime.compile(transform.tenantId(), transform.code());
      mine.complete(compilation);
      keeping.keep(transform, compilation);
      return compilation;
    } catch (VaultException refused) {
      mine.completeExceptionally(refused);
      throw refused;
    } finally {
      // Nobody waits for ever, whatever went wrong.
      mine.cancel(false);
      underWay.remove(transform.key(), mine);
    }
  }

  private static Compilation await(CompletableFuture<Compilation> other) {
    try {
      return other.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof VaultException refused ? refused : failed;
    }
  }

  /** In the database by best effort: else each node does it again. */
  private void keep(Admission admission, ProxyTransform transform, Compilation compilation) {
    if (compilation instanceof Compilation.Compiled compiled) {
      own.keep(transform.key(), compiled);
      try {
        invocations.keepCompiled(admission, transform, compiled.transform());
      } catch (RuntimeException failed) {
        LOG.warn("a compiled transform was not kept: {}", failed.getClass().getName());
      }
    }
  }

  /**
   * What this node compiled from what another compiler had made, up to a number of programs and of
   * characters: those that were not run for longest go first. While nodes with different compilers
   * are at work, each of them runs its own again, in place of replacing the other's with each
   * invocation.
   */
  public static final class OwnPrograms {

    private static final int MAX_PROGRAMS = 64;
    private static final long MAX_CHARACTERS = 16L << 20;
    private static final float LOAD_FACTOR = 0.75f;

    private final Map<String, Compilation.Compiled> byKey =
        new LinkedHashMap<>(16, LOAD_FACTOR, true);
    private long characters;

    /**
     * By {@link io.tokenvault.ports.usecase.proxy.ProxyTransform#key()} of what was compiled anew.
     */
    public synchronized Optional<Compilation> find(String key) {
      return Optional.ofNullable(byKey.get(key));
    }

    public synchronized void keep(String key, Compilation.Compiled compiled) {
      Compilation.Compiled before = byKey.put(key, compiled);
      characters += length(compiled) - (before == null ? 0 : length(before));
      var eldest = byKey.values().iterator();
      while (byKey.size() > MAX_PROGRAMS || characters > MAX_CHARACTERS) {
        characters -= length(eldest.next());
        eldest.remove();
      }
    }

    private static long length(Compilation.Compiled compiled) {
      return compiled.transform().program().length();
    }
  }
}
