package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the commands that create and run transforms in files. */
@Timeout(600)
final class TransformTestCommandTest {

  /** Long limits for scripts. The queue wait is short, because the command must ignore it. */
  private static final Map<String, String> LONG_TIMEOUTS =
      Map.of(
          "VAULT_TRANSFORM_QUEUE_WAIT_MS", "1",
          "VAULT_TRANSFORM_CPU_MS", "60000",
          "VAULT_TRANSFORM_TIMEOUT_MS", "120000");

  @TempDir private Path directory;

  private static CommandRun test(String code, String sample, String... more) {
    return CommandRun.run(
        LONG_TIMEOUTS,
        Stream.concat(Stream.of("transform", "test", code, "--request", sample), Stream.of(more))
            .toArray(String[]::new));
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }

  @Test
  void fileRunsOnSampleWithModulesAndMocks() throws IOException {
    Path modules = Files.createDirectory(directory.resolve("modules"));
    Files.writeString(modules.resolve("double.js"), "module.exports = n => n * 2;");
    String code =
        file(
            "t.js",
            """
            const double = require('double');
            module.exports = async ({ args, configuration, bt }) => {
              console.log('seen', args.body.a);
              const token = await bt.tokens.create({ type: 'token', data: 'x' });
              const got = await (await fetch('https://a.example/')).json();
              return { body: { a: double(args.body.a), k: configuration.K, id: token.id, got } };
            };
            """);
    String sample =
        file(
            "s.json",
            """
            {"request": {"body": {"a": 2}}, "configuration": {"K": "v"}, "mocks": {
              "bt": {"tokens.create": {"id": "t-1"}},
              "fetch": [{"url": "https://a.example/", "status": 200, "body": [1]}]}}
            """);

    Map<String, String> settings = new HashMap<>(LONG_TIMEOUTS);
    settings.put("VAULT_TRANSFORM_MODULES_DIR", modules.toString());
    CommandRun run =
        CommandRun.run(settings, "transform", "test", code, "--request", sample).expectExit(0);

    assertThat(run.out().strip())
        .startsWith("{\"request_transform\":{\"duration_ms\":")
        .contains("\"console\":[{\"level\":\"log\",\"text\":\"seen 2\"}]")
        .endsWith("\"body\":{\"a\":4,\"k\":\"v\",\"id\":\"t-1\",\"got\":[1]}}}")
        .doesNotContain("\n");
  }

  @Test
  void invalidCodeExitsWithOneAndReportsPosition() throws IOException {
    String code = file("t.js", "module.exports = async (req) => {\n  return {;\n};");
    String sample = file("s.json", "{\"request\":{},\"response\":{\"status\":200}}");

    CommandRun refused = test(code, sample, "--response").expectExit(1);

    assertThat(refused.out())
        .startsWith("{\"response_transform\":{\"error\":{")
        .contains("\"line\":2,\"column\":");
    assertThat(refused.err()).startsWith(code + ":2:11: ").contains("> 2 |   return {;\n    |");
  }

  @Test
  void workerThatCannotStartExitsWithThree() throws IOException {
    String code = file("t.js", "module.exports = async () => ({});");
    String sample = file("s.json", "{\"request\":{}}");

    VaultProcess refused =
        VaultProcess.runWithoutIsolation(
                Map.of("VAULT_TRANSFORM_ISOLATION", "required"),
                "transform",
                "test",
                code,
                "--request",
                sample)
            .expectExit(3);

    assertThat(refused.out()).isEmpty();
    assertThat(refused.err()).contains("VAULT_TRANSFORM_ISOLATION is required");
  }

  @Tag("long")
  @Test
  void starterFolderPassesItsTestAndIsNotOverwritten() throws IOException {
    String folder = directory.resolve("new/charge").toString();
    String created = CommandRun.run(Map.of(), "transform", "init", folder).expectExit(0).out();
    String[] test = created.strip().lines().skip(1).findFirst().orElseThrow().split(" ");

    CommandRun.run(LONG_TIMEOUTS, Arrays.copyOfRange(test, 1, test.length)).expectExit(0);
    Path code = Path.of(folder, "charge.js");
    Files.writeString(code, "// mine");
    Files.delete(Path.of(folder, "README.md"));
    CommandRun repeated = CommandRun.run(Map.of(), "transform", "init", folder).expectExit(2);

    assertThat(repeated.err()).startsWith(code + " exists already");
    assertThat(code).hasContent("// mine");
    assertThat(Path.of(folder, "README.md")).doesNotExist();
  }

  @Tag("long")
  @Test
  void failureReportsErrorPositionAndDifference() throws IOException {
    String code =
        file("t.js", "module.exports = async (r) => {\n  return r.args.body.card.number;\n};");
    String sample = file("s.json", "{\"request\":{\"body\":{\"a\":\"4242\"}}}");
    String expected = file("e.json", "{\"request\":{\"body\":{}}}");
    String error =
        file("f.json", "{\"request_transform\":{\"error\":{\"name\":\"TypeError\",\"line\":2}}}");

    CommandRun failed = test(code, sample, "--expect", expected).expectExit(1);
    test(code, sample, "--expect", error).expectExit(0);

    assertThat(failed.err().lines())
        .containsExactly(
            code + ":2:10: TypeError: Cannot read property \"number\" from undefined",
            "  1 | module.exports = async (r) => {",
            "> 2 |   return r.args.body.card.number;",
            "    |          ^",
            "  3 | };",
            "request: expected {\"body\":{}}, but found nothing");
  }

  @Test
  void unusableSampleExitsWithTwoAndReportsAllErrors() throws IOException {
    String code = file("t.js", "module.exports = async () => ({});");
    String sample = file("s.json", "{\"request\":{\"method\":1},\"more\":\"planted\"}");

    CommandRun unusable = test(code, sample).expectExit(2);

    assertThat(unusable.err()).contains("request.method ", "more ").doesNotContain("planted");
    assertThat(unusable.out()).isEmpty();
  }
}
