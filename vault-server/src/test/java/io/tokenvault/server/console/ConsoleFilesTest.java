package io.tokenvault.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.environment.ProgramRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the console was built from its sources and loads nothing from other hosts. */
class ConsoleFilesTest {

  private static final Path BUILT = Path.of("src", "main", "resources", "console").toAbsolutePath();

  @Test
  void filesWereBuiltFromCurrentSources() {
    for (String file : List.of("console.js", "style.css")) {
      assertThat(built(file).lines().findFirst())
          .as("%s is older than its sources: run npm ci and npm run build in src/console", file)
          .get()
          .asString()
          .contains("built from sources " + ConsoleSources.hash());
    }
  }

  @Tag("long")
  @Test
  void buildOfSourcesIsReproducible(@TempDir Path directory) throws Exception {
    assumeTrue(
        ProgramRun.find("node").isPresent() && ProgramRun.find("npm").isPresent(),
        "node or npm is missing: apt-get install nodejs npm");
    Path copy = directory.resolve("console");
    for (Path file : ConsoleSources.files()) {
      Files.createDirectories(copy.resolve(file).getParent());
      Files.copy(ConsoleSources.FOLDER.resolve(file), copy.resolve(file));
    }
    assumeTrue(
        run(copy, "npm", "ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund")
            .isSuccess(),
        "npm could not fetch the packages of the console: check the network");
    run(copy, "node", "build.mjs", directory.resolve("built").toString()).expectSuccess();

    assertThat(names(directory.resolve("built"))).isEqualTo(names(BUILT));
    for (String name : names(BUILT)) {
      assertThat(directory.resolve("built").resolve(name))
          .hasSameBinaryContentAs(BUILT.resolve(name));
    }
  }

  @Test
  void pageLoadsOnlyItsOwnFilesAndHasNoInlineScriptOrStyle() {
    assertThat(built("index.html"))
        .contains("src=\"/console/console.js\"", "href=\"/console/style.css\"")
        .doesNotContain("://", "<style", "style=", "javascript:", " on");
    assertThat(built("index.html").split("<script", -1)).hasSize(2);
    assertThat(built("style.css")).doesNotContain("://", "@import", "url(");
  }

  @Test
  void codeUsesNoStorageAndCreatesNoMarkupOrCodeFromText() {
    for (Path file : ConsoleSources.files()) {
      if (file.startsWith("src")) {
        assertThat(ConsoleSources.FOLDER.resolve(file))
            .content(StandardCharsets.UTF_8)
            .doesNotContain("localStorage", "sessionStorage", "indexedDB", "document.cookie")
            .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "Function(");
      }
    }
  }

  @Test
  void lockFileNamesNoRegistryOrMachine() {
    String lock =
        new String(
            ConsoleSources.content(ConsoleSources.FOLDER.resolve("package-lock.json")),
            StandardCharsets.UTF_8);

    assertThat(lock).contains("\"integrity\"").doesNotContain("\"resolved\"", "file:", "registry");
  }

  private static String built(String name) {
    return new String(ConsoleSources.content(BUILT.resolve(name)), StandardCharsets.UTF_8);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static ProgramRun run(Path directory, String... command) {
    return ProgramRun.in(directory, Map.of(), command);
  }
}
