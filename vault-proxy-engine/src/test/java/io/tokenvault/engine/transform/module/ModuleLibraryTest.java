package io.tokenvault.engine.transform.module;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.transform.module.OperatorModules.ModuleCompiler;
import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.ports.runtime.TransformRuntime.ModuleStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class ModuleLibraryTest {

  private static final Compiled COMPILED = new Compiled("", List.of());

  @TempDir private Path folder;

  private final Queue<String> attempts = new ConcurrentLinkedQueue<>();

  private ModuleLibrary library(ModuleCompiler compiler) throws IOException {
    ModuleFolders.write(folder, Map.of("a.js", "", "b.js", ""));
    return new ModuleLibrary(Optional.of(folder), compiler, Duration.ZERO);
  }

  private static void awaitStatus(ModuleLibrary library, ModuleStatus expected)
      throws InterruptedException {
    while (!library.status().orElseThrow().equals(expected)) {
      Thread.sleep(10);
    }
  }

  @Test
  void temporarilyFailedModuleIsCompiledAgain() throws Exception {
    ModuleCompiler busy =
        (id, source) -> {
          attempts.add(id);
          if (attempts.size() == 1) {
            throw UnusableModuleException.forNow(id, "takes too long to compile");
          }
          return COMPILED;
        };
    try (ModuleLibrary library = library(busy)) {
      library.start();

      awaitStatus(library, new ModuleStatus(true, 2, 0));

      assertThat(attempts).containsExactly("a.js", "b.js", "a.js");
      assertThat(library.current().generation()).isEqualTo(1);
    }
  }

  @Test
  void moduleWithFlawIsNotCompiledAgain() throws Exception {
    ModuleCompiler strict =
        (id, source) -> {
          attempts.add(id);
          if (id.equals("a.js")) {
            throw new UnusableModuleException(id, 1, "Unexpected token");
          }
          if (attempts.size() < 4) {
            throw UnusableModuleException.forNow(id, "takes too much memory to compile");
          }
          return COMPILED;
        };
    try (ModuleLibrary library = library(strict)) {
      library.start();

      awaitStatus(library, new ModuleStatus(true, 1, 1));

      assertThat(attempts).containsExactly("a.js", "b.js", "b.js", "b.js");
    }
  }

  @Test
  void unexpectedFailureDoesNotAffectOtherModules() throws Exception {
    ModuleCompiler defective =
        (id, source) -> {
          if (id.equals("a.js")) {
            throw new IllegalStateException("unexpected");
          }
          return COMPILED;
        };
    try (ModuleLibrary library = library(defective)) {
      library.start();

      awaitStatus(library, new ModuleStatus(true, 1, 0));
    }
  }
}
