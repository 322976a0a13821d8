package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.engine.transform.ModuleBundler.UnusableModuleException;
import io.tokenvault.engine.wire.FromWorker.Compiled;
import io.tokenvault.engine.wire.ToWorker.Bundle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ModuleBundlerTest {

  private final List<String> compiled = new ArrayList<>();

  /** A source is the names that it requires, between blanks. */
  private ModuleBundler bundles(Map<String, String> sources) {
    return new ModuleBundler(
        new ModuleFiles(sources),
        (id, source) -> {
          compiled.add(id);
          List<String> requires =
              Arrays.stream(source.split(" ")).filter(name -> !name.isEmpty()).toList();
          return new Compiled("compiled " + source, requires);
        });
  }

  @Test
  void bundleContainsExactlyReachableModules() {
    ModuleBundler bundles =
        bundles(Map.of("a.js", "./b ./data", "b.js", "", "data.json", "{}", "other.js", ""));

    Bundle bundle = bundles.of("code", List.of("a"));

    assertThat(bundle.entry().code()).isEqualTo("code");
    assertThat(bundle.entry().resolutions()).isEqualTo(Map.of("a", "a.js"));
    assertThat(bundle.modules()).containsOnlyKeys("a.js", "b.js", "data.json");
    assertThat(bundle.modules().get("a.js").resolutions())
        .isEqualTo(Map.of("./b", "b.js", "./data", "data.json"));
    assertThat(bundle.modules().get("data.json").code()).isEqualTo("{}");
  }

  @Test
  void modulesMayRequireEachOther() {
    Bundle bundle = bundles(Map.of("a.js", "b", "b.js", "a")).of("code", List.of("a"));

    assertThat(bundle.modules()).containsOnlyKeys("a.js", "b.js");
  }

  @Test
  void moduleIsCompiledOnceForAllDependents() {
    ModuleBundler bundles = bundles(Map.of("a.js", "b", "b.js", ""));

    bundles.of("one", List.of("a", "b"));
    bundles.of("two", List.of("b"));

    assertThat(compiled).containsExactlyInAnyOrder("a.js", "b.js");
  }

  @Test
  void missingModuleIsNamedWithItsDependent() {
    ModuleBundler bundles = bundles(Map.of("a.js", "./missing"));

    assertThatThrownBy(() -> bundles.of("code", List.of("left-pad")))
        .isInstanceOf(UnusableModuleException.class)
        .hasMessage("there is no module 'left-pad'");
    assertThatThrownBy(() -> bundles.of("code", List.of("a")))
        .isInstanceOf(UnusableModuleException.class)
        .hasMessage("the module a.js requires './missing', which does not exist");
  }

  @Test
  void unusableModuleFailsEveryTime() {
    ModuleBundler bundles =
        new ModuleBundler(
            new ModuleFiles(Map.of("a.js", "")),
            (id, source) -> {
              compiled.add(id);
              throw new UnusableModuleException("broken");
            });

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> bundles.of("code", List.of("a"))).hasMessage("broken");
    }
    assertThat(compiled).hasSize(2);
  }
}
