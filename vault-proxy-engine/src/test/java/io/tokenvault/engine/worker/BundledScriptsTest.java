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
            "readable-stream " + version("readable-stream"));
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
    "src/main/resources/io/tokenvault/engine/worker/compile/babel.js,db33ef350dfc64f29516c790fc9f41dc17b0097a5a147f30155beadb1393de4b",
    "src/main/resources/io/tokenvault/engine/worker/compile/babel-deferred.txt,51a3d18f53f917a512671f2d044afc719c4cbca16f02afd2262d8fd4e57ff13c",
    "src/main/resources/io/tokenvault/engine/worker/node/script/path.js,3a5167b4f2a42eef6af1e16d1af4f2c7581e3813f7e2f213aea3ff7d3610c842",
    "src/main/resources/io/tokenvault/engine/worker/node/script/punycode.js,bf276cf16556ff550559a727af51fb89b43f36465dc7d30ab23860630bd47792",
    "src/main/resources/io/tokenvault/engine/worker/node/script/stream.js,a2c5b3c7de855fa9f773ea2641e1609bb88da054fa43bffe308156ff03a67cd2",
    "src/main/resources/io/tokenvault/engine/worker/node/script/url-standard.js,fa2c28cabf6c297f10acb1a54a15557e680ba19910612f83c57631928b7d0021",
    "src/scripts/babel.cjs,75e52dffc2a09e178cc41935770d7c1733f20fc825340fa3427a7273ff7f2b98",
    "src/scripts/build.mjs,05182ac7b023060e90fa0cc0c0edbbf0336ac15eb3b4e24332dabcd6919e0a88",
    "src/scripts/deferral.mjs,a8b60ba8350e74204f3563d38a58ddf69cd7fec45734a286870d6ce55249b4e0",
    "src/scripts/package-lock.json,ed910a946242ef0aabc0cfa6cd87d51795b485be63bbca2a02d054d9e5b8d14b"
  })
  void bundleHasRecordedChecksum(Path file, String sha256) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));

    assertThat(HexFormat.of().formatHex(hash)).as(file.toString()).isEqualTo(sha256);
  }
}
