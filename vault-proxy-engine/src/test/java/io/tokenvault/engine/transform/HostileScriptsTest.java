package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.Effort;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.TransformRunner.Host.Reply;
import io.tokenvault.engine.transform.pool.PoolSettings;
import io.tokenvault.engine.transform.pool.PoolSettings.WorkerSettings;
import io.tokenvault.engine.wire.ToWorker.Limits;
import io.tokenvault.ports.runtime.TransformRuntime.Compilation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs hostile scripts in real workers: each ends within its limits as expected, and affects
 * neither the next invocation of its tenant nor other tenants.
 */
final class HostileScriptsTest {

  private static final List<String> FILES =
      List.of("loops", "regexes", "memory", "stacks", "escapes", "thrown", "calls");
  private static final int LONGEST_TEXT = 8192;
  private static final String STATE = "state";
  private static final int WALKS = 20;

  /** Long enough for scripts that use little CPU time on a busy machine. */
  private static final int WALL_MILLIS = 10_000;

  @AutoClose private static WorkerTransforms transforms;
  private static HostileTenant offender;
  private static HostileTenant neighbour;
  private static String untouched;

  @BeforeAll
  static void start() {
    transforms =
        new WorkerTransforms(
            new WorkerTransforms.Settings(
                workers(),
                PoolSettings.forCompiling(1).patient(),
                new Limits(1000, WALL_MILLIS, 20_000_000_000L, 512L << 20, 8 << 20, 10),
                Duration.ofSeconds(20),
                Duration.ofMinutes(3),
                Optional.of(Path.of("src/test/resources/transforms/hostile/modules")),
                List.of()));
    offender = new HostileTenant(transforms);
    neighbour = offender.neighbour();
    untouched = world(neighbour);
  }

  private static PoolSettings workers() {
    WorkerSettings small =
        new WorkerSettings(64, 1024, Duration.ofSeconds(60), 100_000, 200, false);
    return PatientPool.forTransforms(3, small);
  }

  static Stream<HostileScript> scripts() {
    return FILES.stream().flatMap(file -> HostileScript.of(file).stream());
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void offenderEndsWithoutVisibleEffectOnOthers(HostileScript script) {
    String ending = offender.says(script.file(), script.name(), HostileScriptsTest::answered);

    assertThat(shortened(ending)).isIn(endings(script));
    assertThat(look(offender)).isEqualTo("returns []");
    assertThat(look(neighbour)).isEqualTo("returns []");
  }

  private static String shortened(String ending) {
    assertThat(ending.length()).isLessThan(2 * LONGEST_TEXT);
    return ending.length() > LONGEST_TEXT ? "throws 500 shortened" : ending;
  }

  private static List<String> endings(HostileScript script) {
    List<String> endings = new ArrayList<>();
    for (String ending : script.endings()) {
      switch (ending) {
        // The amount that a loop allocates within its time limit depends on the machine.
        case "time" -> endings.addAll(List.of("CPU_TIME", "WALL_TIME", "TIME", "ALLOCATION"));
        case "over" ->
            endings.addAll(
                List.of("CPU_TIME", "WALL_TIME", "TIME", "ALLOCATION", "MEMORY", "INSTRUCTIONS"));
        case "stack" -> endings.add("STACK");
        default -> endings.add(ending);
      }
    }
    return endings;
  }

  private static Reply answered(String operation, String json) {
    if (json.contains("slow")) {
      awaitTheEndOfTheInvocation();
    }
    return new Reply(true, "{\"id\":" + json.substring(1, json.length() - 1) + "}");
  }

  /** Blocks until the end of the worker interrupts the call. */
  private static void awaitTheEndOfTheInvocation() {
    try {
      boolean unused = new CountDownLatch(1).await(WALL_MILLIS + 5000, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Reply noHost(String operation, String json) {
    return new Reply(false, "{\"status\":500}");
  }

  private static String look(HostileTenant tenant) {
    return tenant.says(STATE, "look", HostileScriptsTest::noHost);
  }

  /**
   * Returns a description of all that a script can reach, in the long build. A worker's first walk
   * through it can exceed the time limit of these tests.
   */
  private static String world(HostileTenant tenant) {
    if (!Effort.IS_FULL) {
      return "";
    }
    String said = tenant.says(STATE, "world", HostileScriptsTest::noHost);
    for (int i = 0; i < WALKS && !said.startsWith("returns"); i++) {
      said = tenant.says(STATE, "world", HostileScriptsTest::noHost);
    }
    return said;
  }

  @ParameterizedTest
  @MethodSource("marks")
  void changesByInvocationAreGoneInNext(HostileScript script) {
    assertThat(offender.says(STATE, script.name(), HostileScriptsTest::noHost))
        .isEqualTo("returns left");

    assertThat(look(offender)).isEqualTo("returns []");
    assertThat(look(neighbour)).isEqualTo("returns []");
    assertThat(world(offender).equals(untouched)).as("global state is unchanged").isTrue();
    assertThat(world(neighbour).equals(untouched)).as("global state is unchanged").isTrue();
  }

  static List<HostileScript> marks() {
    return HostileScript.of(STATE).stream()
        .filter(script -> script.endings().contains("returns left"))
        .toList();
  }

  @Test
  void lateReplyReachesNoOtherInvocation() {
    CountDownLatch over = new CountDownLatch(1);
    Host late =
        (operation, json) -> {
          Eventually.opens(over);
          return new Reply(true, "{\"id\":\"of another\"}");
        };

    assertThat(offender.says("calls", "fewNotAwaited", late)).isEqualTo("returns done");
    over.countDown();
    for (int i = 0; i < 10; i++) {
      assertThat(offender.says("calls", "ownReply", HostileScriptsTest::answered))
          .isEqualTo("returns id");
    }
  }

  @ParameterizedTest
  @MethodSource("sources")
  void codeThatHarmsWhileItIsSavedIsRefused(String source) {
    assertThat(offender.saves(source)).isInstanceOf(Compilation.Refused.class);
    assertThat(((Compilation.Refused) offender.saves("module.exports = 1;")).flaws()).hasSize(1);
  }

  static Stream<String> sources() {
    return Effort.sample(
        5,
        List.of(
            "for (;;); module.exports = () => ({});",
            "const all = []; for (;;) all.push('x'.repeat(99999) + all.length);",
            "const f = () => f() + 1; f(); module.exports = f;",
            "with (Math) { module.exports = () => ({}); }",
            "module.exports = " + "(".repeat(20_000) + "1" + ")".repeat(20_000) + ";"));
  }

  @Test
  void changesByCodeWhileSavedAreGoneInNext() {
    offender.saves(
        "Object.prototype.card = 1; Array.prototype.map = null; JSON.stringify = null;"
            + "globalThis.card = 1; RegExp.prototype.exec = null; String.prototype.replace = null;"
            + "module.exports = () => ({});");

    assertThat(offender.saves("module.exports = () => ({ body: `${[1].map((x) => x)}` });"))
        .isInstanceOf(Compilation.Compiled.class);
    assertThat(look(offender)).isEqualTo("returns []");
    assertThat(world(offender).equals(untouched)).as("global state is unchanged").isTrue();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("heavySources")
  void heavyCodeIsCompiledOrRefusedInTime(String source) {
    assertThat(offender.saves(source)).isNotNull();
    assertThat(neighbour.saves("module.exports = () => ({});"))
        .isInstanceOf(Compilation.Compiled.class);
  }

  static Stream<String> heavySources() {
    return Stream.of(
        "module.exports = () => " + "-".repeat(1) + "- ".repeat(20_000) + "1;",
        "module.exports = () => " + "!".repeat(49_000) + "1;",
        "module.exports = () => 1" + "+1".repeat(24_000) + ";",
        "module.exports = () => " + "[".repeat(24_000) + "]".repeat(24_000) + ";",
        "module.exports = () => " + "a=>".repeat(16_000) + "1;",
        "module.exports = () => /" + "(a|".repeat(10_000) + "b" + ")".repeat(10_000) + "/;",
        "module.exports = () => /" + "a?".repeat(24_000) + "/;",
        "module.exports = () => { " + "if(1){".repeat(7_000) + "}".repeat(7_000) + " };",
        "module.exports = () => `" + "${`".repeat(9_000) + "`}".repeat(9_000) + "`;",
        "module.exports = async () => { " + "await 1;".repeat(6_000) + " };",
        "module.exports = () => { " + "let [a]=b;".repeat(4_800) + " };",
        "module.exports = () => { var " + "a,".repeat(24_000) + "b; };",
        "module.exports = () => a" + "?.a".repeat(16_000) + ";",
        "class A " + "{ m() { class B ".repeat(2_400) + "{}" + " } }".repeat(2_400));
  }
}
