package io.tokenvault.engine.transform.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.transform.isolation.IsolatedProgram;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.WorkerPool;
import io.tokenvault.engine.transform.pool.WorkerProcess.WorkerLauncher;
import io.tokenvault.engine.wire.FromWorker;
import io.tokenvault.engine.wire.ToWorker;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import io.tokenvault.ports.memory.FakeFieldCipher;
import io.tokenvault.ports.memory.FakeKeyWrapper;
import io.tokenvault.ports.memory.InMemoryCompiledModules;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.usecase.proxy.CompiledModules;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the cache alone: the pool is closed, so that nothing can be compiled. */
final class CachedModuleCompilerTest {

  private static final String SOURCE = "exports.n = 1;";

  @AutoClose private final IsolatedProgram program = new IsolatedProgram();
  private final CompiledModules cache =
      new CompiledModules(
          new InMemoryCompiledModules(), new FakeFieldCipher(), new FakeKeyWrapper());
  private CachedModuleCompiler compiler;

  @BeforeEach
  void setUp() {
    WorkerPool closed =
        new WorkerPool(
            PoolSettings.forCompiling(1),
            new WorkerLauncher(program::find, new ToWorker.Begin(true, List.of())));
    closed.close();
    compiler = new CachedModuleCompiler(closed, Duration.ofSeconds(1));
    compiler.cache(cache);
  }

  @Test
  void moduleOfThisCompilerVersionIsTakenFromCache() {
    save(TransformCompiler.VERSION, "made before");

    assertThat(compiler.compile("one.js", SOURCE))
        .isEqualTo(new FromWorker.Compiled("made before", List.of("other")));
  }

  @Test
  void moduleOfAnotherCompilerVersionIsCompiledAgain() {
    save(TransformCompiler.VERSION + "0", "made by another version");

    assertThatThrownBy(() -> compiler.compile("one.js", SOURCE))
        .isInstanceOf(RefusedException.class);
  }

  private void save(String version, String program) {
    cache.save(
        CachedModuleCompiler.hash(version + "\n", SOURCE),
        new CompiledTransform(version, program, List.of("other")));
  }
}
