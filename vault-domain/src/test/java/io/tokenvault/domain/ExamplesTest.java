package io.tokenvault.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example that needs only this module, and compares its output with the docs. */
final class ExamplesTest {

  private static final Path DOCS = Path.of("..", "docs");
  private static final String CLASSES = Path.of("target", "classes").toAbsolutePath().toString();

  @TempDir private Path directory;

  @Test
  void rulesExampleCompilesAloneAndPrintsDocumentedOutput()
      throws IOException, InterruptedException {
    Path source = DOCS.resolve("examples").resolve("rules").resolve("ExplainDecisions.java");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    String[] options = {
      "-Xlint:all", "-Werror", "-cp", CLASSES, "-d", directory.toString(), source.toString()
    };
    assertThat(compiler.run(null, null, null, options)).isZero();

    String printed = run("-cp", directory + System.getProperty("path.separator") + CLASSES);

    String page = Files.readString(DOCS.resolve("embedding.md"));
    assertThat(page).contains("```text\n" + printed + "```");
    assertThat(lines(Files.readString(source)))
        .containsAll(lines(page.replaceAll("(?s).*\n## Evaluate.*?```java\n(.*?)```.*", "$1")));
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).toList();
  }

  private static String run(String... options) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(List.of(java, options[0], options[1], "ExplainDecisions"))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return printed;
  }
}
