package io.tokenvault.engine.transform.module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.engine.wire.FromWorker.Require;
import io.tokenvault.engine.wire.ToWorker.Program;
import io.tokenvault.engine.wire.ToWorker.Provided;
import io.tokenvault.engine.worker.compile.LineTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OperatorModulesTest {

  @TempDir Path folder;

  private final List<String> compiled = new ArrayList<>();

  /** Returns modules whose source is the space-separated list of the names that they require. */
  private OperatorModules modules(Map<String, String> sources) throws IOException {
    return modules(
        sources,
        (id, source) -> {
          compiled.add(id);
          List<String> requires =
              Arrays.stream(source.split(" ")).filter(name -> !name.isEmpty()).toList();
          return new Compiled("compiled " + source, requires);
        });
  }

  private OperatorModules modules(Map<String, String> sources, OperatorModules.ModuleCompiler with)
      throws IOException {
    return new OperatorModules(0, ModuleFolders.write(folder, sources), with);
  }

  private static Program provided(OperatorModules modules, String from, String name) {
    Provided provided = modules.provide(new Require(from, name));
    assertThat(provided.cacheable()).isTrue();
    return provided.module().orElseThrow();
  }

  @Test
  void moduleContainsResolutionsOfRequiredNames() throws IOException {
    OperatorModules modules =
        modules(Map.of("a.js", "./b ./data ./missing", "b.js", "", "data.json", "{}"));

    assertThat(provided(modules, "", "a"))
        .isEqualTo(
            new Program(
                "a.js",
                "compiled ./b ./data ./missing",
                Map.of("./b", "b.js", "./data", "data.json")));
    assertThat(provided(modules, "a.js", "./data"))
        .isEqualTo(new Program("data.json", "{}", Map.of()));
  }

  @Test
  void preparationCompilesExactlyReachableModules() throws IOException {
    OperatorModules modules =
        modules(Map.of("a.js", "./b", "b.js", "./a ./c.json", "c.json", "", "other.js", ""));

    modules.prepare(List.of("a", "missing"));

    assertThat(compiled).containsExactlyInAnyOrder("a.js", "b.js");
  }

  @Test
  void moduleIsCompiledOnceForAllDependents() throws IOException {
    OperatorModules modules = modules(Map.of("a.js", "b", "b.js", ""));

    modules.prepare(List.of("a", "b"));
    provided(modules, "", "b");
    provided(modules, "a.js", "./b");

    assertThat(compiled).containsExactlyInAnyOrder("a.js", "b.js");
  }

  @Test
  void missingModuleIsNotProvided() throws IOException {
    assertThat(modules(Map.of()).provide(new Require("", "left-pad")))
        .isEqualTo(new Provided(Optional.empty(), true));
  }

  @Test
  void unusableModuleThrowsAtItsLine() throws IOException {
    OperatorModules modules =
        modules(
            Map.of("a.js", ""),
            (id, source) -> {
              throw new UnusableModuleException(id, 7, "Unexpected \"token\"");
            });

    Program program = provided(modules, "", "a");

    assertThat(program.code())
        .startsWith("throw new SyntaxError(\"a.js:7: Unexpected \\\"token\\\"\");");
    assertThat(LineTable.of(program.code()).source(1)).isEqualTo(7);
  }

  @Test
  void moduleThatCannotBeCompiledYetIsCompiledLater() throws IOException {
    List<String> attempts = new ArrayList<>();
    OperatorModules modules =
        modules(
            Map.of("a.js", ""),
            (id, source) -> {
              attempts.add(id);
              if (attempts.size() < 3) {
                throw new RefusedException(FailureCause.OVERLOADED, "busy");
              }
              return new Compiled("", List.of());
            });

    Provided provided = modules.provide(new Require("", "a"));
    assertThat(provided.cacheable()).isFalse();
    assertThat(provided.module().orElseThrow().code()).contains("a.js").contains("status: 503");
    assertThatThrownBy(() -> modules.prepare(List.of("a"))).isInstanceOf(RefusedException.class);
    assertThat(provided(modules, "", "a").code()).isEmpty();
  }

  @Test
  void nativeAddonThrowsExplanation() throws IOException {
    OperatorModules modules = modules(Map.of("addon.node", ""));

    assertThat(provided(modules, "", "addon.node").code()).contains("native addon");
    assertThat(compiled).isEmpty();
  }
}
