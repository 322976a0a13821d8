package io.tokenvault.engine.worker.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tokenvault.engine.Node;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.worker.Sandbox;
import io.tokenvault.engine.worker.compile.ScriptResources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the same scripts in a sandbox and in Node.js. The results are recorded beside the scripts,
 * so that they are compared even if Node.js is not installed. The scripts have a separate folder
 * because some have the name of a script of the runtime.
 */
final class NodeConformanceTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Sandbox SANDBOX = new Sandbox(List.of());

  private static final String NODE_DRIVER =
      """
      const script = { exports: {} };
      const source = require('fs').readFileSync(process.argv[1], 'utf8');
      new Function('exports', 'require', 'module', source)(script.exports, require, script);
      Promise.resolve(script.exports({})).then(
        (made) => process.stdout.write(JSON.stringify(made.body)));
      """;

  static Stream<String> scripts() {
    return Stream.of(
        ("assert clone crypto-streams events fetch-classes form json language locale"
                + " names querystring stream timers url util web-streams zlib")
            .split(" "));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void scriptProducesRecordedResults(String name) throws IOException {
    Finished finished =
        SANDBOX.run(text(name + ".js"), (operation, json) -> new Sandbox.Response(false, "{}"));

    JsonNode results = JSON.readTree(Sandbox.body(finished.outcome()));
    assertThat(results.toPrettyString()).isEqualTo(recordedResult(name).toPrettyString());
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void nodeProducesRecordedResults(String name, @TempDir Path folder) throws Exception {
    assumeTrue(Node.version().isPresent(), Node.MISSING);
    Path script = Files.writeString(folder.resolve("script.js"), text(name + ".js"));

    JsonNode results = JSON.readTree(Node.run(Map.of(), "", "-e", NODE_DRIVER, script.toString()));

    assertThat(results.toPrettyString()).isEqualTo(recordedResult(name).toPrettyString());
  }

  private static JsonNode recordedResult(String name) throws IOException {
    return JSON.readTree(text(name + ".json"));
  }

  private static String text(String name) {
    return ScriptResources.text(NodeConformanceTest.class, "same/" + name);
  }
}
