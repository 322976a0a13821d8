package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.engine.TestSize;
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
  private static final int MAX_LENGTH = 8192;
  private static final String STATE = "state";
  private static final int MAX_WALKS = 20;

  /** Long enough for scripts that use little CPU time on a busy machine. */
  private static final int WALL_LIMIT_MILLIS = 10_000;

  /** Endings of a loop: the amount it allocates within its time limit depends on the machine. */
  private static final List<String> TIME =
      List.of("CPU_TIME", "WALL_TIME", "TIMED_OUT", "ALLOCATION");

  @AutoClose private static WorkerTransforms transforms;
  private static ScriptTenant offender;
  private static ScriptTenant neighbor;
  private static String initialState;

  @BeforeAll
  static void start() {
    transforms =
        new WorkerTransforms(
            new WorkerTransforms.Settings(
                workers(),
                PoolSettings.forCompiling(1).withLongWaits(),
                new Limits(1000, WALL_LIMIT_MILLIS, 20_000_000_000L, 512L << 20, 8 << 20, 10),
                Duration.ofSeconds(20),
                Duration.ofMinutes(3),
                Optional.of(Path.of("src/test/resources/transforms/hostile/modules")),
                List.of()));
    offender = new ScriptTenant(transforms);
    neighbor = offender.neighbor();
    initialState = globalState(neighbor);
  }

  private static PoolSettings workers() {
    WorkerSettings small =
        new WorkerSettings(64, 1024, Duration.ofSeconds(60), 100_000, 200, false);
    return TestPoolSettings.forTransforms(3, small);
  }

  static Stream<HostileScript> scripts() {
    return FILES.stream().flatMap(file -> HostileScript.of(file).stream());
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void offenderEndsWithoutVisibleEffectOnOthers(HostileScript script) {
    String ending = offender.outcome(script.file(), script.name(), HostileScriptsTest::reply);

    assertThat(abbreviate(ending)).isIn(endings(script));
    assertThat(changesSeenBy(offender)).isEqualTo("returns []");
    assertThat(changesSeenBy(neighbor)).isEqualTo("returns []");
  }

  private static String abbreviate(String ending) {
    assertThat(ending.length()).isLessThan(2 * MAX_LENGTH);
    return ending.length() > MAX_LENGTH ? "throws 500 shortened" : ending;
  }

  private static List<String> endings(HostileScript script) {
    List<String> endings = new ArrayList<>();
    for (String ending : script.endings()) {
      switch (ending) {
        case "time" -> endings.addAll(TIME);
        case "over" -> {
          endings.addAll(TIME);
          endings.addAll(List.of("OUT_OF_MEMORY", "INSTRUCTIONS"));
        }
        case "stack" -> endings.add("STACK");
        default -> endings.add(ending);
      }
    }
    return endings;
  }

  private static Reply reply(String operation, String json) {
    if (json.contains("slow")) {
      awaitEndOfInvocation();
    }
    return new Reply(true, "{\"id\":" + json.substring(1, json.length() - 1) + "}");
  }

  /** Blocks beyond the time limit, unless the end of the worker interrupts the call earlier. */
  private static void awaitEndOfInvocation() {
    try {
      boolean unused = new CountDownLatch(1).await(WALL_LIMIT_MILLIS + 5000, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Reply failingHost(String operation, String json) {
    return new Reply(false, "{\"status\":500}");
  }

  private static String changesSeenBy(ScriptTenant tenant) {
    return tenant.outcome(STATE, "look", HostileScriptsTest::failingHost);
  }

  /**
   * Returns a description of all that a script can reach, in the long build. A worker's first walk
   * through it can exceed the time limit of these tests.
   */
  private static String globalState(ScriptTenant tenant) {
    if (!TestSize.IS_FULL) {
      return "";
    }
    String state = "";
    for (int i = 0; i <= MAX_WALKS && !state.startsWith("returns"); i++) {
      state = tenant.outcome(STATE, "world", HostileScriptsTest::failingHost);
    }
    assertThat(state).as("a walk within the time limit").startsWith("returns");
    return state;
  }

  @ParameterizedTest
  @MethodSource("stateChanges")
  void changesByInvocationAreInvisibleToNext(HostileScript script) {
    assertThat(offender.outcome(STATE, script.name(), HostileScriptsTest::failingHost))
        .isEqualTo("returns left");

    assertThat(changesSeenBy(offender)).isEqualTo("returns []");
    assertThat(changesSeenBy(neighbor)).isEqualTo("returns []");
    assertThat(globalState(offender).equals(initialState)).as("global state is unchanged").isTrue();
    assertThat(globalState(neighbor).equals(initialState)).as("global state is unchanged").isTrue();
  }

  static List<HostileScript> stateChanges() {
    return HostileScript.of(STATE).stream()
        .filter(script -> script.endings().contains("returns left"))
        .toList();
  }

  @Test
  void lateReplyReachesNoOtherInvocation() {
    CountDownLatch release = new CountDownLatch(1);
    Host late =
        (operation, json) -> {
          Eventually.awaitLatch(release);
          return new Reply(true, "{\"id\":\"of another\"}");
        };

    assertThat(offender.outcome("calls", "fewNotAwaited", late)).isEqualTo("returns done");
    release.countDown();
    for (int i = 0; i < 10; i++) {
      assertThat(offender.outcome("calls", "ownReply", HostileScriptsTest::reply))
          .isEqualTo("returns id");
    }
  }

  @ParameterizedTest
  @MethodSource("sources")
  void hostileCodeIsRejectedWhenCompiled(String source) {
    assertThat(offender.compile(source)).isInstanceOf(Compilation.Refused.class);
    assertThat(((Compilation.Refused) offender.compile("module.exports = 1;")).flaws()).hasSize(1);
  }

  static Stream<String> sources() {
    return TestSize.sample(
        5,
        List.of(
            "for (;;); module.exports = () => ({});",
            "const all = []; for (;;) all.push('x'.repeat(99999) + all.length);",
            "const f = () => f() + 1; f(); module.exports = f;",
            "with (Math) { module.exports = () => ({}); }",
            "module.exports = " + "(".repeat(20_000) + "1" + ")".repeat(20_000) + ";"));
  }

  @Tag("long")
  @Test
  void changesDuringCompilationAreInvisibleToNext() {
    offender.compile(
        "Object.prototype.card = 1; Array.prototype.map = null; JSON.stringify = null;"
            + "globalThis.card = 1; RegExp.prototype.exec = null; String.prototype.replace = null;"
            + "module.exports = () => ({});");

    assertThat(offender.compile("module.exports = () => ({ body: `${[1].map((x) => x)}` });"))
        .isInstanceOf(Compilation.Compiled.class);
    assertThat(changesSeenBy(offender)).isEqualTo("returns []");
    assertThat(globalState(offender).equals(initialState)).as("global state is unchanged").isTrue();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("heavySources")
  void heavyCodeIsCompiledOrRejectedInTime(String source) {
    assertThat(offender.compile(source)).isNotNull();
    assertThat(neighbor.compile("module.exports = () => ({});"))
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
