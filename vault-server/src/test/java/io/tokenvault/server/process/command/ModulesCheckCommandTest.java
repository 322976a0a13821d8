package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.process.fixture.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command that checks a folder of modules before a server uses it. */
@Timeout(600)
final class ModulesCheckCommandTest {

  @TempDir private Path folder;

  @Tag("long")
  @Test
  void eachModuleIsReportedAndUnusableOneExitsWithOne() throws IOException {
    Files.writeString(folder.resolve("double.js"), "module.exports = n => 2 * n;");
    Files.writeString(folder.resolve("files.js"), "\nexports.read = require('absent').read;");

    CommandRun checked =
        CommandRun.run(Map.of(), "modules", "check", folder.toString()).expectExit(1);

    assertThat(checked.out().lines())
        .hasSize(2)
        .anySatisfy(line -> assertThat(line).matches("double\\.js: ok, 1 files, \\d+\\.\\d s"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith(
                        "files.js: failed: throws while loading (in the module files.js, line 2)")
                    .contains("Cannot find module 'absent'"));
  }

  @Test
  void missingFolderExitsWithTwo() {
    CommandRun missing =
        CommandRun.run(Map.of(), "modules", "check", folder.resolve("none").toString())
            .expectExit(2);

    assertThat(missing.err()).contains("none is not a directory that can be read");
  }
}
