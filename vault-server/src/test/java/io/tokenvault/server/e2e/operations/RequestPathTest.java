package io.tokenvault.server.e2e.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.environment.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Limits the number of classes that process a warm request on the thread that serves it, as {@link
 * EnteredClassRecorder} records them. Nested classes count as their outer class; values (records,
 * enums, exceptions and domain types) do not count. The lists are written to {@code
 * target/request-path}. Limits may only be lowered.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RequestPathTest {

  private static final int PROXY_LIMIT = 54;
  private static final int CREATE_TOKEN_LIMIT = 31;
  private static final int GET_TOKEN_LIMIT = 30;
  private static final int LOGS_LIMIT = 27;

  private static final int WARM_UPS = 50;

  /** The one with the fewest classes counts, since others may refresh caches or fill a batch. */
  private static final int REQUESTS = 5;

  private static final Path LISTS = Path.of("target", "request-path");

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();
  private final Client caller = fixture.tenant.owner();
  private final String token = caller.token("a secret");

  @Test
  void proxiedRequestWithOneTokenStaysWithinLimit() {
    Call call =
        caller
            .call("POST", "/proxy/charge")
            .through(fixture.proxy())
            .json(Json.object("secret", "{{" + token + "}}"));
    assertClassesAtMost(PROXY_LIMIT, "proxy", () -> call.send().expect(200));
  }

  @Test
  void tokenCreationStaysWithinLimit() {
    Call call =
        caller.call("POST", "/tokens").json(Json.object("type", "token", "data", "a secret"));
    assertClassesAtMost(CREATE_TOKEN_LIMIT, "create-token", () -> call.send().expect(201));
  }

  @Test
  void tokenReadStaysWithinLimit() {
    Call call = caller.call("GET", "/tokens/" + token);
    assertClassesAtMost(GET_TOKEN_LIMIT, "get-token", () -> call.send().expect(200));
  }

  @Test
  void logReadStaysWithinLimit() {
    Call call = fixture.tenant.management().call("GET", "/logs");
    assertClassesAtMost(LOGS_LIMIT, "logs", () -> call.send().expect(200));
  }

  private static void assertClassesAtMost(int limit, String name, Runnable request) {
    repeat(request);
    assertThat(classesActingOn(request, name))
        .as("classes that act on %s", name)
        .hasSizeLessThanOrEqualTo(limit);
  }

  private static void repeat(Runnable request) {
    Stream.generate(() -> request).limit(WARM_UPS).forEach(Runnable::run);
  }

  private static Set<String> classesActingOn(Runnable request, String name) {
    try (EnteredClassRecorder recorder = new EnteredClassRecorder()) {
      repeat(request);
      Set<String> fewest =
          Stream.generate(() -> recorder.recordDuring(request))
              .limit(REQUESTS)
              .min(Comparator.comparingInt(Set::size))
              .orElseThrow();
      Set<String> acting =
          fewest.stream()
              .filter(each -> !isValue(each))
              .map(each -> each.replaceFirst("\\$.*", ""))
              .collect(Collectors.toCollection(TreeSet::new));
      write(name, acting, fewest, recorder.enteredByOtherThreads());
      return acting;
    }
  }

  private static boolean isValue(String name) {
    try {
      Class<?> type = Class.forName(name, false, RequestPathTest.class.getClassLoader());
      return type.isRecord()
          || type.isEnum()
          || Throwable.class.isAssignableFrom(type)
          || name.startsWith("io.tokenvault.domain.");
    } catch (ClassNotFoundException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void write(
      String name, Set<String> acting, Set<String> entered, Set<String> byOtherThreads) {
    String text =
        Stream.of(
                section("acting on " + name, acting),
                section("entered, with nested classes and values", entered),
                section("entered by other threads during the request", byOtherThreads))
            .collect(Collectors.joining("\n"));
    Unchecked.run(
        () -> {
          Files.createDirectories(LISTS);
          Files.writeString(LISTS.resolve(name + ".txt"), text);
        });
  }

  private static String section(String title, Set<String> classes) {
    return String.format("# %s: %d%n%s%n", title, classes.size(), String.join("\n", classes));
  }
}
