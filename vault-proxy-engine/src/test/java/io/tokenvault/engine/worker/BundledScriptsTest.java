package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts of others that are committed here are those that src/scripts builds. */
final class BundledScriptsTest {

  private static final Path SCRIPTS = Path.of("src", "scripts");
  private static final Path RESOURCES =
      Path.of("src", "main", "resources", "io", "tokenvault", "engine", "worker");

  private static String version(String name) throws IOException {
    JsonNode manifest = new ObjectMapper().readTree(SCRIPTS.resolve("package.json").toFile());
    return manifest.path("dependencies").path(name).asText();
  }

  @Test
  void babelHasTheDeclaredVersion() throws IOException {
    String declared = version("@babel/standalone");

    assertThat(TransformCompiler.VERSION).startsWith("babel-" + declared + "/");
    assertThat(Files.readString(RESOURCES.resolve("compile/babel.js"))).contains(declared);
    assertThat(Files.readString(RESOURCES.resolve("licenses.txt")))
        .contains("@babel/standalone " + declared, "core-js-pure " + version("core-js-pure"));
  }

  @Test
  void parserIsStartedWithTheWorker() {
    assertThat(new Sandbox().value("1")).isEqualTo("[1]");

    assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).contains("parser");
  }

  /**
   * After a build of src/scripts, the new checksums belong here: a bundle that was changed in any
   * other way, or a change of the build without its bundles, is noticed.
   */
  @ParameterizedTest
  @CsvSource({
    "src/main/resources/io/tokenvault/engine/worker/compile/babel.js,500dedc459e5e78bc8a938847e4f608acaf1d259a00276e414033b12fd85f0d0",
    "src/main/resources/io/tokenvault/engine/worker/node/script/url-standard.js,2eee99efb2ab536a3a7b8b9e82b47e34cc8c047c77106012fa589599ea19a6b0",
    "src/scripts/build.mjs,35c012c066635e618a9a4fd3b535a953a545b576b3eafc16fdecb97e9a284b32",
    "src/scripts/package-lock.json,8ca8e0906b991d92d7c302ec3de43e76cc0fffc9215d9a7cb1e6c97a837925d9"
  })
  void bundleIsTheOneThatWasBuilt(Path file, String sha256) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));

    assertThat(HexFormat.of().formatHex(hash)).as(file.toString()).isEqualTo(sha256);
  }
}
