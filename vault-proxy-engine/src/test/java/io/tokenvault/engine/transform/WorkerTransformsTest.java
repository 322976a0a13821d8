package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Ending.Broken;
import io.tokenvault.engine.transform.TransformRunner.Ending.Reason;
import io.tokenvault.engine.transform.TransformRunner.Ending.Said;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.TransformRunner.Run;
import io.tokenvault.engine.transform.isolation.IsolationLevel;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From source to result, over real workers. */
final class WorkerTransformsTest {

  private static final TenantId TENANT = new TenantId(UUID.randomUUID());
  private static final Host NO_HOST =
      (operation, json) -> new Host.Reply(false, "{\"status\":500}");

  @TempDir static Path modules;

  private static WorkerTransforms transforms;

  @BeforeAll
  static void start() throws IOException {
    Files.writeString(modules.resolve("greet.js"), "exports.greet = (name) => `hello ${name}`;");
    Files.writeString(modules.resolve("broken.js"), "exports.x = ;");
    Files.writeString(modules.resolve("data.json"), "{\"a\": [1]}");
    transforms = start(Duration.ofMinutes(1));
  }

  private static WorkerTransforms start(Duration compileCpu) {
    return WorkerTransforms.start(
        new WorkerTransforms.Settings(
            PatientPool.of(PoolSettings.forTransforms(2)),
            PatientPool.of(PoolSettings.forCompiling(1)),
            new Limits(5000, 60_000, 200_000_000, 1L << 30, 1 << 20, 10),
            compileCpu,
            Duration.ofMinutes(2),
            Optional.of(modules),
            List.of("other-errors")));
  }

  @AfterAll
  static void stop() {
    transforms.close();
  }

  private static CompiledTransform compiled(String code) {
    Compilation compilation = transforms.compile(TENANT, new TransformCode(code));
    assertThat(compilation).isInstanceOf(Compilation.Compiled.class);
    return ((Compilation.Compiled) compilation).transform();
  }

  private static List<Compilation.Flaw> flaws(String code) {
    Compilation compilation = transforms.compile(TENANT, new TransformCode(code));
    assertThat(compilation).isInstanceOf(Compilation.Refused.class);
    return ((Compilation.Refused) compilation).flaws();
  }

  private static Ending run(String code, String body) {
    CompiledTransform compiled = compiled(code);
    return transforms.run(
        new Run(
            TENANT,
            UUID.randomUUID().toString(),
            () -> compiled,
            BodyKind.JSON,
            body.getBytes(StandardCharsets.UTF_8),
            "{\"headers\":{},\"method\":\"POST\",\"path\":\"/\",\"query\":\"\","
                + "\"configuration\":{},\"bt\":false}"),
        NO_HOST);
  }

  private static String returned(String code, String body) {
    Ending ending = run(code, body);
    assertThat(ending).isInstanceOf(Said.class);
    Outcome outcome = ((Said) ending).finished().outcome();
    assertThat(outcome).isInstanceOf(Outcome.Returned.class);
    return new String(((Outcome.Returned) outcome).body(), StandardCharsets.UTF_8);
  }

  @Test
  void codeIsCompiledAndRun() {
    assertThat(
            returned(
                "module.exports = async ({ args: { body: { a, ...rest } } }) => {\n"
                    + "  const { createHash } = require('crypto');\n"
                    + "  await null;\n"
                    + "  return { body: { a: a?.b ?? 1, rest,\n"
                    + "    h: createHash('md5').update('x').digest('hex') } };\n"
                    + "};",
                "{\"a\": {\"b\": 2}, \"c\": [3]}"))
        .isEqualTo("{\"a\":2,\"rest\":{\"c\":[3]},\"h\":\"9dd4e461268c8034f5c8564e155c67a6\"}");
  }

  @Test
  void modulesOfTheFolderCanBeRequired() {
    assertThat(
            returned(
                "const { greet } = require('greet');\n"
                    + "module.exports = async () =>\n"
                    + "  ({ body: { text: greet('you'), data: require('data.json') } });",
                "{}"))
        .isEqualTo("{\"text\":\"hello you\",\"data\":{\"a\":[1]}}");
  }

  @Test
  void aModuleThatIsNotThereOrBrokenIsNamedWhenCodeIsSaved() {
    String code = "const x = require('%s');\nmodule.exports = async () => ({ body: x });";

    assertThat(flaws(code.formatted("left-pad")))
        .extracting(Compilation.Flaw::message)
        .containsExactly("there is no module 'left-pad'");
    assertThat(flaws(code.formatted("broken")))
        .extracting(Compilation.Flaw::message)
        .singleElement()
        .asString()
        .startsWith("the module broken.js cannot be used: line 1, column 13: ");
  }

  @Test
  void whatWouldNotRunIsRefusedWithItsPlace() {
    assertThat(flaws("module.exports = async () => {\n  return {;\n};").get(0).line()).isEqualTo(2);
    assertThat(flaws("exports.notAFunction = 1;").get(0).message()).contains("export a function");
    assertThat(flaws("null.x;\nmodule.exports = async () => ({});").get(0).line()).isEqualTo(1);
  }

  @Test
  void whatTakesTooLongToCompileIsRefusedAndNotCompiledAgain() {
    String nested = "async () => { return ".repeat(8) + "1" + " }".repeat(8);
    TransformCode slow = new TransformCode("module.exports = [" + (nested + ", ").repeat(8) + "];");
    Compilation refused =
        new Compilation.Refused(
            List.of(
                new Compilation.Flaw(
                    1,
                    1,
                    "takes longer than 1 s of CPU time to compile; write shorter or less nested"
                        + " functions")));
    WorkerTransforms strict = start(Duration.ofSeconds(1));
    try (strict) {
      assertThat(strict.compile(TENANT, slow)).isEqualTo(refused);
    }

    assertThat(strict.compile(TENANT, slow)).isEqualTo(refused);
    assertThatThrownBy(() -> strict.compile(new TenantId(UUID.randomUUID()), slow))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void oneTenantUsesAllCompilersButOne() {
    for (int share : List.of(1, 4)) {
      PoolSettings compilers = PoolSettings.forCompiling(share);

      assertThat(compilers.perTenant()).isEqualTo(share);
      assertThat(compilers.size()).isEqualTo(share + 1);
    }
  }

  @Test
  void aScriptThatNeverEndsIsEnded() {
    Ending ending = run("module.exports = async () => { for (;;) {} };", "{}");

    assertThat(((Said) ending).finished().outcome()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void aScriptThatTakesAllMemoryEndsItsWorkerOnly() {
    Ending ending =
        run(
            "module.exports = async () => {\n"
                + "  const all = [];\n"
                + "  for (;;) all.push('x'.repeat(1 << 20) + all.length);\n"
                + "};",
            "{}");

    assertThat(ending)
        .satisfiesAnyOf(
            each -> assertThat(each).isEqualTo(new Broken(Reason.MEMORY)),
            each ->
                assertThat(((Said) each).finished().outcome()).isInstanceOf(Outcome.Failed.class));
    assertThat(returned("module.exports = async () => ({ body: 1 });", "{}")).isEqualTo("1");
  }

  @Test
  void workersAreShutIn() {
    assertThat(transforms.confinement()).isNotEqualTo(IsolationLevel.NONE);
  }
}
