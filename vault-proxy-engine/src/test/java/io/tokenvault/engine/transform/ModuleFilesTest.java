package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ModuleFilesTest {

  private static final ModuleFiles FILES =
      new ModuleFiles(
          Map.ofEntries(
              Map.entry("plain.js", ""),
              Map.entry("data.json", "{}"),
              Map.entry("folder/index.js", ""),
              Map.entry("folder/deep/other.js", ""),
              Map.entry("pack/package.json", "{\"main\": \"./lib/main\"}"),
              Map.entry("pack/lib/main.js", ""),
              Map.entry("pack/lib/index.js", ""),
              Map.entry("pack/node_modules/inner/index.js", ""),
              Map.entry("@scope/one/package.json", "{\"main\": \"lib\"}"),
              Map.entry("@scope/one/lib/index.js", ""),
              Map.entry("broken/package.json", "{"),
              Map.entry("broken/index.js", ""),
              Map.entry("node_modules/shared/index.js", "")));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "'', plain, plain.js",
    "'', plain.js, plain.js",
    "'', data, data.json",
    "'', data.json, data.json",
    "'', folder, folder/index.js",
    "'', folder/deep/other, folder/deep/other.js",
    "'', pack, pack/lib/main.js",
    "'', pack/lib, pack/lib/index.js",
    "'', @scope/one, @scope/one/lib/index.js",
    "'', broken, broken/index.js",
    "'', shared, node_modules/shared/index.js",
    "folder/index.js, ./deep/other, folder/deep/other.js",
    "folder/deep/other.js, .././index.js, folder/index.js",
    "folder/deep/other.js, ../../plain, plain.js",
    "pack/lib/main.js, inner, pack/node_modules/inner/index.js",
    "pack/lib/main.js, shared, node_modules/shared/index.js",
    "pack/lib/main.js, plain, plain.js"
  })
  void namesResolveAsInNode(String from, String name, String id) {
    assertThat(FILES.resolve(Optional.of(from).filter(each -> !each.isEmpty()), name)).contains(id);
  }

  @ParameterizedTest
  @CsvSource({
    "'', inner",
    "'', nothing",
    "'', ./plain",
    "'', ../plain",
    "'', folder/deep",
    "'', /plain",
    "folder/index.js, ../../plain",
    "folder/index.js, ./nothing",
    "plain.js, ../plain"
  })
  void nameNotInFolderIsUnresolved(String from, String name) {
    assertThat(FILES.resolve(Optional.of(from).filter(each -> !each.isEmpty()), name)).isEmpty();
  }

  @Test
  void namesAreThoseOfModulesAndPackages() {
    assertThat(FILES.names())
        .containsExactlyInAnyOrder(
            "plain", "data", "folder", "pack", "@scope/one", "broken", "shared");
  }

  @Test
  void modulesAreReadFromAFolder() throws IOException {
    Files.createDirectories(folder.resolve("one/lib"));
    Files.writeString(folder.resolve("one/lib/a.js"), "exports.a = '\u00e9';");
    Files.writeString(folder.resolve("one/readme.md"), "text");

    ModuleFiles read = ModuleFiles.read(folder);

    assertThat(read.source("one/lib/a.js")).isEqualTo("exports.a = '\u00e9';");
    assertThat(read.names()).containsExactly("one");
  }

  @Test
  void nonUtf8FileIsNamed() throws IOException {
    Files.write(folder.resolve("a.js"), new byte[] {(byte) 0xff});

    assertThatThrownBy(() -> ModuleFiles.read(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("contains a file that is not UTF-8: a.js");
  }

  @Test
  void tooLargeFileIsNamed() throws IOException {
    Files.write(folder.resolve("a.js"), new byte[ModuleFiles.MAX_SIZE + 1]);

    assertThatThrownBy(() -> ModuleFiles.read(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a.js");
  }

  @Test
  void linkOutOfFolderIsNamedAndNotFollowed() throws IOException {
    Files.writeString(folder.resolve("secret.json"), "{}");
    Path modules = Files.createDirectory(folder.resolve("modules"));
    Files.writeString(modules.resolve("a.js"), "");
    Files.createSymbolicLink(modules.resolve("same.js"), modules.resolve("a.js"));

    assertThat(ModuleFiles.read(modules).names()).containsExactly("a", "same");
    Files.createSymbolicLink(modules.resolve("key.json"), folder.resolve("secret.json"));
    assertThatThrownBy(() -> ModuleFiles.read(modules))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("contains a link that leads out of it: key.json");
  }

  @Test
  void missingFolderIsRejected() {
    assertThatThrownBy(() -> ModuleFiles.read(folder.resolve("nothing")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot be read");
  }
}
