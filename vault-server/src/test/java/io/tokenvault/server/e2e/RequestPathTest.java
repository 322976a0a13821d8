package io.tokenvault.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Counts the classes of the vault that a warm request meets on the thread that serves it, by {@link
 * EnteredClasses}: all of them, with nested classes, records, enums and exceptions. The lists are
 * in {@code target/request-path}. Limits may only be lowered.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RequestPathTest {

  private static final int PROXY_LIMIT = 182;
  private static final int CREATE_TOKEN_LIMIT = 182;
  private static final int GET_TOKEN_LIMIT = 134;
  private static final int LOGS_LIMIT = 122;

  private static final int WARM_UPS = 50;

  /**
   * The one of several requests that met the fewest: others refresh caches or meet a full batch.
   */
  private static final int REQUESTS = 5;

  private static final Path LISTS = Path.of("target", "request-path");

  private ProxyFixture fixture;
  private Client caller;
  private String token;
  private String proxyKey;

  @BeforeAll
  void start() {
    fixture = new ProxyFixture();
    caller = fixture.tenant.owner();
    token = caller.token("a secret");
    proxyKey = fixture.proxy().path("key").asText();
  }

  @AfterAll
  void stop() {
    fixture.close();
  }

  @Test
  void proxiedRequestWithOneTokenMeetsFewClasses() {
    Call call =
        caller
            .call("POST", "/proxy/charge")
            .header("SVC-PROXY-KEY", proxyKey)
            .json(Json.object("secret", "{{" + token + "}}"));
    assertMeetsAtMost(PROXY_LIMIT, "proxy", () -> call.send().expect(200));
  }

  @Test
  void creationOfATokenMeetsFewClasses() {
    Object body = Json.object("type", "token", "data", "a secret");
    assertMeetsAtMost(
        CREATE_TOKEN_LIMIT, "create-token", () -> caller.post("/tokens", body).expect(201));
  }

  @Test
  void readOfATokenMeetsFewClasses() {
    assertMeetsAtMost(
        GET_TOKEN_LIMIT, "get-token", () -> caller.get("/tokens/" + token).expect(200));
  }

  @Test
  void readOfTheLogMeetsFewClasses() {
    Client management = fixture.tenant.management();
    assertMeetsAtMost(LOGS_LIMIT, "logs", () -> management.get("/logs").expect(200));
  }

  private static void assertMeetsAtMost(int limit, String name, Runnable request) {
    repeat(request);
    Set<String> met = metBy(request, name);
    assertThat(met).as("classes of %s", name).hasSizeLessThanOrEqualTo(limit);
  }

  private static void repeat(Runnable request) {
    Stream.generate(() -> request).limit(WARM_UPS).forEach(Runnable::run);
  }

  private static Set<String> metBy(Runnable request, String name) {
    try (EnteredClasses entered = new EnteredClasses()) {
      repeat(request);
      Set<String> fewest =
          Stream.generate(() -> entered.during(request))
              .limit(REQUESTS)
              .min(Comparator.comparingInt(Set::size))
              .orElseThrow();
      write(name, fewest, entered.elsewhere());
      return fewest;
    }
  }

  /**
   * Returns whether the class is a record, an enum or of the domain: it is passed, and does little.
   */
  private static boolean isValue(String name) {
    try {
      Class<?> type = Class.forName(name, false, RequestPathTest.class.getClassLoader());
      return type.isRecord() || type.isEnum() || name.startsWith("io.tokenvault.domain.");
    } catch (ClassNotFoundException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void write(String name, Set<String> met, Set<String> elsewhere) {
    long nested = met.stream().filter(each -> each.contains("$")).count();
    long values = met.stream().filter(RequestPathTest::isValue).count();
    String text =
        String.format(
            "# %s: %d classes met by the request's thread, %d of them nested, %d of them values%n%s%n%n"
                + "# On other threads meanwhile: %d%n%s%n",
            name,
            met.size(),
            nested,
            values,
            String.join("\n", met),
            elsewhere.size(),
            String.join("\n", elsewhere));
    try {
      Files.createDirectories(LISTS);
      Files.writeString(LISTS.resolve(name + ".txt"), text);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
