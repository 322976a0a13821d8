package io.tokenvault.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The TypeScript compiler accepts the samples of the documentation with transform.d.ts. */
@Tag("long")
final class TransformTypesTest {

  private static final Path STARTER = Path.of("src/main/resources/transform");
  private static final Path PAGE = Path.of("../docs/transforms.md");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^```js\n((?s:.*?))```");
  private static final String EXPORT = "module.exports = ";
  private static final String MISSING =
      "the TypeScript compiler is missing: run npm ci in vault-server/src/console,"
          + " or npm install --global typescript";

  @TempDir private Path folder;

  private static Stream<Path> compilers() {
    return Stream.concat(
            Stream.of("src/console/node_modules/.bin"),
            Stream.of(System.getenv("PATH").split(File.pathSeparator)))
        .map(directory -> Path.of(directory, "tsc").toAbsolutePath())
        .filter(Files::isExecutable);
  }

  private String compile() throws IOException, InterruptedException {
    Path compiler = compilers().findFirst().orElseThrow();
    Process process =
        new ProcessBuilder(compiler.toString(), "-p", "jsconfig.json")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() + " " + out;
  }

  @Test
  void samplesAreTypedAndMistakesAreFound() throws Exception {
    assumeTrue(compilers().findFirst().isPresent(), MISSING);
    for (String name : List.of("charge.js", "transform.d.ts", "jsconfig.json")) {
      Files.copy(STARTER.resolve(name), folder.resolve(name));
    }
    List<String> samples =
        SAMPLE.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList();
    assertThat(samples).hasSizeGreaterThan(2);
    for (int i = 0; i < samples.size(); i++) {
      Files.writeString(
          folder.resolve("sample-" + i + ".js"),
          samples.get(i).replace(EXPORT, "/** @type {Transform} */\n" + EXPORT));
    }

    assertThat(compile()).isEqualTo("0 ");
    Files.writeString(
        folder.resolve("wrong.js"),
        "/** @type {Transform} */\nmodule.exports = async ({ args }) => {\n"
            + "  require('crypto').createHash(1);\n  process.exit();\n  return 5;\n};");
    assertThat(compile())
        .contains("wrong.js(3,", "Cannot find name 'process'")
        .doesNotContain("charge.js", "sample-");
  }
}
