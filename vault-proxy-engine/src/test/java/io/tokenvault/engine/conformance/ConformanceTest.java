package io.tokenvault.engine.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.Node;
import io.tokenvault.engine.TestSize;
import io.tokenvault.engine.transform.TestPoolSettings;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.isolation.IsolationLevel;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares transforms in worker processes with Node.js: bodies, headers, console lines, errors and
 * line numbers. The scripts are typical transforms ({@code real}) and cover the available APIs
 * ({@code surface}).
 *
 * <p>The results of Node.js are in {@code .expected.json} next to each script, written by {@code
 * NODE_PATH=modules TZ=UTC node conformance.js --write}; {@code differences.json} lists the fields
 * in which workers differ.
 */
final class ConformanceTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TenantId TENANT = new TenantId(UUID.randomUUID());
  private static final Path FOLDER = Path.of("src/test/resources/transforms").toAbsolutePath();
  private static final Pattern SCRIPT = Pattern.compile("((?:real|surface)/.+)\\.js");

  /** Scripts with the most common features; compiling all scripts takes long. */
  private static final Set<String> COMMON_SCRIPTS =
      Set.of(
          "real/card-charge",
          "real/tokenize-answer",
          "surface/headers",
          "surface/values",
          "surface/intl");

  @AutoClose private static WorkerTransforms transforms;

  @BeforeAll
  static void start() {
    transforms =
        new WorkerTransforms(
            new WorkerTransforms.Settings(
                TestPoolSettings.forTransforms(1),
                PoolSettings.forCompiling(1).withLongWaits(),
                new Limits(20_000, 60_000, 1_000_000_000, 1L << 30, 1 << 20, 100),
                Duration.ofMinutes(1),
                Duration.ofSeconds(60),
                Optional.of(FOLDER.resolve("modules")),
                List.of()));
  }

  static Stream<String> scripts() throws IOException {
    return names().stream().filter(name -> TestSize.IS_FULL || COMMON_SCRIPTS.contains(name));
  }

  /** Returns the names of all scripts without their extensions. */
  private static List<String> names() throws IOException {
    try (Stream<Path> files = Files.walk(FOLDER, 2)) {
      return files
          .map(file -> SCRIPT.matcher(FOLDER.relativize(file).toString()))
          .filter(Matcher::matches)
          .map(name -> name.group(1))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void scriptBehavesAsInNode(String name) throws IOException {
    CompiledTransform compiled = compiled(Files.readString(FOLDER.resolve(name + ".js")));
    ArrayNode results = JSON.createArrayNode();
    for (JsonNode each : JSON.readTree(FOLDER.resolve(name + ".cases.json").toFile())) {
      results.add(new ConformanceCase(each).run(transforms, TENANT, name, compiled));
    }

    assertThat(lines(results)).isEqualTo(lines(expectedOfWorkers(name)));
  }

  @Test
  void missingOrBrokenModuleIsNamedWhenCodeIsSaved() {
    String code = "const x = require('%s');\nmodule.exports = async () => ({ body: x });";

    assertThat(flaws(code.formatted("left-pad")))
        .extracting(Compilation.Flaw::message)
        .containsExactly("throws while loading: Error: Cannot find module 'left-pad'");
    assertThat(flaws(code.formatted("broken")))
        .extracting(Compilation.Flaw::message)
        .singleElement()
        .asString()
        .startsWith(
            "throws while loading (in the module broken.js, line 1): SyntaxError: broken.js:1: ");
  }

  @Test
  void caughtFailureToLoadModuleIsNoFlaw() {
    String code =
        "let x; try { x = require('left-pad'); } catch (e) {}\n"
            + "module.exports = async () => ({ body: x });";

    assertThat(transforms.compile(TENANT, new TransformCode(code)))
        .isInstanceOf(Compilation.Compiled.class);
  }

  @Test
  void codeThatCannotRunIsRejectedWithItsLocation() {
    assertThat(flaws("exports.notAFunction = 1;").get(0).message()).contains("export a function");
    assertThat(flaws("null.x;\nmodule.exports = async () => ({});").get(0).line()).isEqualTo(1);
  }

  @Test
  void workersAreIsolated() {
    assertThat(transforms.confinement()).isNotEqualTo(IsolationLevel.NONE);
  }

  @Test
  void expectedResultsMatchNode() throws Exception {
    assumeTrue(Node.version().isPresent(), Node.MISSING);
    Map<String, String> modules = Map.of("NODE_PATH", FOLDER.resolve("modules").toString());

    JsonNode results =
        JSON.readTree(Node.run(modules, "", FOLDER.resolve("conformance.js").toString()));

    for (String name : names()) {
      assertThat(lines(results.get(name))).as(name).isEqualTo(lines(expected(name)));
    }
  }

  private static ArrayNode expectedOfWorkers(String name) throws IOException {
    ArrayNode expected = expected(name);
    JsonNode differences = JSON.readTree(FOLDER.resolve("differences.json").toFile());
    for (int i = 0; i < expected.size(); i++) {
      JsonNode difference = differences.path(name).path(Integer.toString(i));
      if (difference.isObject()) {
        ((ObjectNode) expected.get(i)).setAll((ObjectNode) difference);
      }
    }
    return expected;
  }

  private static ArrayNode expected(String name) throws IOException {
    return (ArrayNode) JSON.readTree(FOLDER.resolve(name + ".expected.json").toFile());
  }

  /** Returns a line for each field of each case, so that a failure shows which one differs. */
  private static String lines(JsonNode results) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < results.size(); i++) {
      int number = i;
      results
          .get(i)
          .properties()
          .forEach(
              each -> lines.append(number + " " + each.getKey() + ": " + each.getValue() + "\n"));
    }
    return lines.toString();
  }

  private static List<Compilation.Flaw> flaws(String code) {
    return ((Compilation.Refused) transforms.compile(TENANT, new TransformCode(code))).flaws();
  }

  private static CompiledTransform compiled(String code) {
    return ((Compilation.Compiled) transforms.compile(TENANT, new TransformCode(code))).transform();
  }
}
