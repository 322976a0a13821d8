package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.environment.Unchecked;
import io.tokenvault.server.process.fixture.BuiltProgram;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the launcher {@code packaging/bin/vault-server}. */
@Timeout(600)
final class LauncherTest {

  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
  // Fields of /proc/[pid]/task/[tid]/stat, as in proc_pid_stat(5), and a value.
  private static final int NICE = 19;
  private static final int SCHEDULING_POLICY = 41;
  private static final int SCHED_BATCH = 3;
  private static final long MIB = 1024 * 1024;
  private static final String VERSION = "vault-server (development)";

  private final BuiltProgram program = BuiltProgram.in(DataDirectories.fresh());

  @TempDir private Path directory;

  @Tag("long")
  @Test
  void launcherRunsFromAnyFolderAndThroughSymlinks() throws IOException {
    BuiltProgram programInSpacedPath =
        BuiltProgram.in(DataDirectories.fresh().resolve("the program"));
    Path link =
        Files.createSymbolicLink(directory.resolve("vault"), programInSpacedPath.launcher());
    Path secondLink = Files.createSymbolicLink(directory.resolve("again"), link.getFileName());
    String command = "cd / && exec '" + secondLink + "' --version";
    VaultProcess version = VaultProcess.run(List.of("sh", "-c", command), java(JAVA_HOME));
    assertThat(version.expectExit(0).out().strip()).isEqualTo(VERSION);
    assertThat(version.err()).isEmpty();
  }

  @Test
  void launcherPassesArgumentsAndExitCodesUnchanged() {
    Path keyset = directory.resolve("my \"own\" $HOME keys.json");
    run(java(JAVA_HOME), "keys", "init", keyset.toString()).expectExit(0);
    assertThat(keyset).isNotEmptyFile();
    VaultProcess refused = run(java(JAVA_HOME), "--create-archive", "here").expectExit(2);
    assertThat(refused.err()).contains("--create-archive takes no arguments");
    // Cron, for example, sets no locale.
    String command =
        "LC_ALL=C " + program.launcher() + " tenant show --id \"$(printf '\\303\\274')\"";
    VaultProcess wrong = VaultProcess.run(List.of("sh", "-c", command), java(JAVA_HOME));
    assertThat(wrong.expectExit(2).err()).contains("'ü' is not a UUID");
  }

  @Tag("long")
  @Test
  void launcherBecomesTheServerAndEndsOnSigterm() throws IOException {
    Path data = DataDirectories.withEmptyDatabase();
    Map<String, String> settings = java(JAVA_HOME);
    settings.putAll(DataDirectories.settings(data));
    // Both the warm-up and modules start workers.
    settings.put("VAULT_WARM_UP_SECONDS", "1");
    settings.put("VAULT_TRANSFORM_MODULES_DIR", directory.toString());
    try (VaultProcess server =
        VaultProcess.serve(List.of(program.launcher().toString(), "serve"), settings)) {
      assertThat(server.err()).contains("Warmed up with");
      String key =
          Json.parse(Files.readString(data.resolve("first-key.json"))).path("key").asText();
      assertThat(new Client(server.url(), key).get("/logs").totalItems())
          .as("entries for the tenant and its application, none for the warm-up")
          .isEqualTo(2);
      assertThat(ProcessHandle.of(server.pid()).flatMap(each -> each.info().command()))
          .hasValueSatisfying(command -> assertThat(command).endsWith("/bin/java"));
      if (OS.LINUX.isCurrentOs()) {
        assertThat(statField(server.pid(), "vault-http", SCHEDULING_POLICY))
            .as("scheduling policy")
            .isEqualTo(SCHED_BATCH);
      }
      if (OS.LINUX.isCurrentOs() && Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS) {
        assertThat(statField(server.pid(), "vault-http", NICE))
            .as("nice value of requests")
            .isGreaterThan(statField(server.pid(), "C1 Compiler", NICE));
      }
      server.terminate();
      server.expectExit(143);
    }
  }

  /** Returns the state of a thread; nothing if it has ended. */
  private static String stat(Path thread) {
    try {
      return Files.readString(thread.resolve("stat"));
    } catch (IOException ended) {
      return "";
    }
  }

  /** Returns a {@code stat} field of the first thread whose name has this prefix. */
  private static int statField(long process, String thread, int field) throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
      String stat =
          threads
              .map(LauncherTest::stat)
              .filter(each -> each.contains("(" + thread))
              .findFirst()
              .orElseThrow();
      // The fields after the name in parentheses, from the third on.
      return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[field - 3]);
    }
  }

  @Test
  void missingJavaOrJarIsReported() throws IOException {
    VaultProcess refused = run(java(directory), "serve").expectExit(1);
    assertThat(refused.err()).contains(directory + "/bin/java is missing", "JAVA_HOME");
    Files.delete(program.jar());
    refused = run(java(JAVA_HOME), "serve").expectExit(1);
    assertThat(refused.err()).contains(program.jar() + " is missing");
  }

  @Test
  void earlierJavaIsRejectedWithItsVersion() throws IOException {
    Path java = directory.resolve("jdk/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    VaultProcess refused = run(java(directory.resolve("jdk")), "serve").expectExit(1);
    assertThat(refused.err()).contains("11.0.2", "Java 17 or later is required");
  }

  /** Returns the JDK of this JVM and those in the same directory. */
  static List<Path> installedJdks() throws IOException {
    Path own = JAVA_HOME.toRealPath();
    try (Stream<Path> beside = Files.list(own.getParent())) {
      Stream<Path> others =
          beside
              .filter(each -> Files.isExecutable(each.resolve("bin/java")))
              .map(each -> Unchecked.get(each::toRealPath));
      // A list, before the directory is closed.
      return Stream.concat(Stream.of(own), others).distinct().toList();
    }
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("installedJdks")
  void archiveIsUsedUntilProgramChangesAndNeverPreventsStart(Path jdk) throws IOException {
    run(java(jdk), "--create-archive").expectExit(0);
    assertThat(program.archives()).hasSize(1);
    assertThat(classLoading(jdk)).contains("io.tokenvault.server.cli.Serve source: shared");

    Files.setLastModifiedTime(program.jar(), FileTime.from(Instant.EPOCH.plusSeconds(1)));
    assertThat(classLoading(jdk))
        .contains("io.tokenvault.server.cli.Serve source: ")
        .doesNotContain("io.tokenvault.server.cli.Serve source: shared");

    Path archive = program.archives().get(0);
    Files.delete(archive);
    Files.writeString(archive, "not an archive");
    assertThat(classLoading(jdk)).contains("io.tokenvault.server.cli.Serve source: ");
  }

  @Tag("long")
  @Test
  void collectorIsParallelUnlessOptionsNameAnother() throws IOException {
    assertThat(logged("-Xlog:gc", JAVA_HOME)).contains("Using Parallel");
    assertThat(logged("-XX:+UseSerialGC -Xlog:gc", JAVA_HOME)).contains("Using Serial");
    Path file = Files.writeString(directory.resolve("options"), "-XX:+UseG1GC");
    assertThat(logged("@" + file + " -Xlog:gc", JAVA_HOME)).contains("Using G1");
  }

  @Tag("long")
  @Test
  void youngGenerationIsHalfTheHeapUnlessOptionsOverrideIt() {
    assertThat(maxNewSize("-Xmx64m")).isEqualTo(32 * MIB);
    assertThat(maxNewSize("-Xmx64m -XX:NewRatio=3")).isEqualTo(16 * MIB);
    assertThat(maxNewSize("-Xmx64m -Xmn8m")).isEqualTo(8 * MIB);
  }

  private long maxNewSize(String options) {
    Map<String, String> settings = java(JAVA_HOME);
    settings.put("JDK_JAVA_OPTIONS", options + " -XX:+PrintFlagsFinal");
    String flags = run(settings, "--version").expectExit(0).out();
    Matcher size = Pattern.compile("MaxNewSize +:?= (\\d+)").matcher(flags);
    assertThat(size.find()).isTrue();
    return Long.parseLong(size.group(1));
  }

  private String classLoading(Path jdk) throws IOException {
    return logged("-Xlog:class+load", jdk);
  }

  /** Asserts that a command succeeds with these JVM options, and returns the log of its JVM. */
  private String logged(String options, Path jdk) throws IOException {
    Path log = Files.createTempFile(directory, "jvm", ".log");
    Map<String, String> settings = java(jdk);
    settings.put("JDK_JAVA_OPTIONS", options + ":file=" + log);
    VaultProcess version = run(settings, "--version").expectExit(0);
    assertThat(version.out().strip()).isEqualTo(VERSION);
    return Files.readString(log);
  }

  private VaultProcess run(Map<String, String> settings, String... arguments) {
    List<String> command =
        Stream.concat(Stream.of(program.launcher().toString()), Stream.of(arguments)).toList();
    return VaultProcess.run(command, settings);
  }

  private static Map<String, String> java(Path home) {
    return new HashMap<>(Map.of("JAVA_HOME", home.toString()));
  }
}
