package io.tokenvault.engine.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tokenvault.engine.worker.compile.TransformCompiler;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the committed third-party scripts are those that src/scripts builds. */
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
    String declared = version("@babel/core");

    assertThat(TransformCompiler.VERSION).startsWith("babel-" + declared + "/");
    assertThat(Files.readString(RESOURCES.resolve("compile/babel-deferred.txt")))
        .contains(declared);
    assertThat(Files.readString(RESOURCES.resolve("licenses.txt")))
        .contains(
            "@babel/core " + declared,
            "core-js-pure " + version("core-js-pure"),
            "path-browserify " + version("path-browserify"),
            "punycode " + version("punycode"),
            "readable-stream " + version("readable-stream"),
            "tr46 " + version("tr46"),
            "web-streams-polyfill " + version("web-streams-polyfill"));
  }

  /** A package keeps the version of the release that last changed it. */
  @Test
  void babelPackagesAreOfOneRelease() throws IOException {
    ModuleDescriptor.Version release = ModuleDescriptor.Version.parse(version("@babel/core"));
    JsonNode lock = new ObjectMapper().readTree(SCRIPTS.resolve("package-lock.json").toFile());
    JsonNode manifest = new ObjectMapper().readTree(SCRIPTS.resolve("package.json").toFile());

    assertThat(lock.path("packages").properties())
        .filteredOn(each -> each.getKey().startsWith("node_modules/@babel/"))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(ModuleDescriptor.Version.parse(each.getValue().path("version").asText()))
                    .isLessThanOrEqualTo(release));
    assertThat(manifest.path("dependencies"))
        .allSatisfy(version -> assertThat(version.asText()).matches("\\d+\\.\\d+\\.\\d+"));
  }

  @Test
  void parserThreadStartsWithWorker() {
    assertThat(new Sandbox().evaluate("1")).isEqualTo("[1]");

    assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName).contains("parser");
  }

  /**
   * Detects bundles that were changed manually, and changes of the build without new bundles. After
   * a build of src/scripts, update the checksums.
   */
  @ParameterizedTest
  @CsvSource({
    "src/main/resources/io/tokenvault/engine/worker/compile/babel.js,3ad252e7dc38fa2ea20d087aaf01951c9dce7b78517c64265c8db1f9633aae2f",
    "src/main/resources/io/tokenvault/engine/worker/compile/babel-deferred.txt,3557b6d1acd505b485762aa89192ce29c4b587b96d7b200625948b1ff07200cd",
    "src/main/resources/io/tokenvault/engine/worker/node/script/domain-name.js,f5487e60b6c16c93a77f6ad26a5dee97a440c9c7f5faba44b663615b47032359",
    "src/main/resources/io/tokenvault/engine/worker/node/script/path.js,0a190d4526c6f09d9cbcfed9c43a9019b62583ecebebee4768771c7f5b2a41d0",
    "src/main/resources/io/tokenvault/engine/worker/node/script/punycode.js,bf276cf16556ff550559a727af51fb89b43f36465dc7d30ab23860630bd47792",
    "src/main/resources/io/tokenvault/engine/worker/node/script/stream.js,c1d74f178779441ea5fd75995487a39f1e563cb971779d27a3afe11a751fe8fe",
    "src/main/resources/io/tokenvault/engine/worker/node/script/stream-web-standard.js,5b78df121ef21aa4de9d320e720e73a2c5041d5ff681945de631c7cd7bf5725e",
    "src/main/resources/io/tokenvault/engine/worker/node/script/url-standard.js,10e782b94d4e55259b14fed521d2c9bed396d0e71af50fe443864e8b6e069bad",
    "src/scripts/babel.cjs,75e52dffc2a09e178cc41935770d7c1733f20fc825340fa3427a7273ff7f2b98",
    "src/scripts/build.mjs,27a6c60849da36efd917e6eb3283a23bb459fb613b280f8c4dbef83dbba51449",
    "src/scripts/deferral.mjs,a8b60ba8350e74204f3563d38a58ddf69cd7fec45734a286870d6ce55249b4e0",
    "src/scripts/package-lock.json,3fb3d59603525ec741547b70746edcefe8f5559a47a8d86b8c18ac7dcbba82c3"
  })
  void bundleHasRecordedChecksum(Path file, String sha256) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));

    assertThat(HexFormat.of().formatHex(hash)).as(file.toString()).isEqualTo(sha256);
  }
}
