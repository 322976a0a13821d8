package io.tokenvault.engine.transform.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.engine.transform.FakeWorker;
import io.tokenvault.engine.transform.FakeWorkerPool;
import io.tokenvault.engine.transform.TestPoolSettings;
import io.tokenvault.engine.transform.WorldReadableClasses;
import io.tokenvault.engine.transform.isolation.WorkerIsolation.WorkerUsers;
import io.tokenvault.engine.transform.pool.CallBudget;
import io.tokenvault.engine.transform.pool.WorkerFailedException;
import io.tokenvault.engine.transform.pool.WorkerPool;
import io.tokenvault.engine.transform.pool.WorkerProcess.WorkerLauncher;
import io.tokenvault.engine.wire.ToWorker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests each isolation level from inside a worker that tries to break out. */
final class WorkerIsolationTest {

  private static final String USER_ID = "65533";

  @TempDir Path folder;
  private List<Path> classes;
  private Path secret;
  @AutoClose private ServerSocket listener;

  @BeforeEach
  void setUp() throws IOException {
    classes = WorldReadableClasses.copyTo(Files.createDirectory(folder.resolve("classes")));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    secret = Files.writeString(folder.resolve("keys"), "for the server only");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void workerWithOwnRootCanDoNothing() throws Exception {
    assumeRoot();

    assertThat(successfulAttempts(IsolationLevel.OWN_ROOT)).isEmpty();
  }

  @Tag("long")
  @Test
  void unprivilegedServerIsolatesItsWorkers() throws Exception {
    assumeRoot();
    assumeWorks("setpriv", "--reuid=" + USER_ID, "unshare", "--user", "--map-root-user", "--mount");
    Files.setAttribute(secret, "unix:uid", Integer.valueOf(USER_ID));

    // It is root only inside its own user namespace, which gives it no privileges.
    assertThat(attemptsUnderUnprivilegedServer("")).isEqualTo("OWN_ROOT: root user");
    // The kernel then refuses a /proc of the worker's own, as in a container.
    assertThat(attemptsUnderUnprivilegedServer("mount --bind /dev/null /proc/version;"))
        .isEqualTo("OWN_ROOT: ");
  }

  @Tag("long")
  @Test
  void workerWithoutNetworkAccessesPublicFilesOnly() throws Exception {
    assumeRoot();

    assertThat(successfulAttempts(IsolationLevel.OTHER_USER_NO_NETWORK))
        .isEqualTo("accounts read,file written,process started");
  }

  @Test
  void workerOfOtherUserAccessesPublicFilesAndNetworkOnly() throws Exception {
    assumeRoot();

    assertThat(successfulAttempts(IsolationLevel.OTHER_USER))
        .isEqualTo("accounts read,connected,file written,process started,processes seen");
  }

  @Tag("long")
  @Test
  void unisolatedWorkerHasPrivilegesOfServer() throws Exception {
    assumeRoot();

    assertThat(successfulAttempts(IsolationLevel.NONE))
        .isEqualTo(
            "accounts read,connected,environment read,file read,file written,memory opened,"
                + "open files seen,privileges,process started,processes seen,root user");
  }

  @Test
  void workersRunAsDifferentUsers() {
    assumeRoot();
    WorkerProgram program = program();
    WorkerIsolation isolation =
        WorkerIsolation.at(IsolationLevel.OTHER_USER, program).orElseThrow();

    assertThat(isolation.command(program, List.of()))
        .isNotEqualTo(isolation.command(program, List.of()));
  }

  @Test
  void levelIsUnavailableIfWorkerCannotStart() throws IOException {
    assumeRoot();
    Files.setPosixFilePermissions(
        classes.get(0).getParent(), PosixFilePermissions.fromString("rwx------"));
    WorkerProgram program = program();

    assertThat(WorkerIsolation.at(IsolationLevel.OTHER_USER, program)).isEmpty();
    assertThat(WorkerIsolation.at(IsolationLevel.OTHER_USER_NO_NETWORK, program)).isEmpty();
    assertThat(WorkerIsolation.at(IsolationLevel.OWN_ROOT, program)).isPresent();
    assertThat(WorkerIsolation.find(program).level()).isEqualTo(IsolationLevel.OWN_ROOT);
  }

  @Tag("long")
  @Test
  void levelIsNoneIfNoOtherLevelIsAvailable() {
    WorkerProgram absent =
        new WorkerProgram(program().javaHome(), List.of(folder), FakeWorker.class.getName());

    assertThat(WorkerIsolation.find(absent).level()).isEqualTo(IsolationLevel.NONE);
  }

  private static void assumeRoot() {
    assumeTrue(
        WorkerUsers.mayBeChosen(),
        "Only root can choose an isolation level: run the tests as root");
  }

  /** Skips the test if the system does not allow the command. */
  private static void assumeWorks(String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of(command));
    all.add("true");
    int exit = new ProcessBuilder(all).start().waitFor();
    assumeTrue(
        exit == 0,
        "The system does not allow "
            + String.join(" ", command)
            + ": install util-linux and allow namespaces (in a container: --privileged)");
  }

  private WorkerProgram program() {
    return WorkerProgram.onThisJava(classes.subList(0, 2), FakeWorker.class.getName());
  }

  private String successfulAttempts(IsolationLevel level) throws Exception {
    if (level == IsolationLevel.OWN_ROOT || level == IsolationLevel.OTHER_USER_NO_NETWORK) {
      assumeWorks("unshare", "--net", "--mount", "--pid", "--fork");
    }
    WorkerIsolation isolation = WorkerIsolation.at(level, program()).orElseThrow();
    return successfulAttempts(program(), isolation, secret, folder, listener.getLocalPort());
  }

  private static String successfulAttempts(
      WorkerProgram program, WorkerIsolation isolation, Object file, Object directory, Object port)
      throws WorkerFailedException {
    String targets = file + "\n" + directory + "\n" + ProcessHandle.current().pid() + "\n" + port;
    ToWorker.Begin begin = new ToWorker.Begin(false, List.of());
    WorkerLauncher launcher =
        new WorkerLauncher(() -> new IsolatedProgram.Found(program, isolation), begin);
    try (WorkerPool pool = new WorkerPool(TestPoolSettings.forTransforms(1), launcher)) {
      return pool.run(
          UUID.randomUUID(),
          worker ->
              FakeWorkerPool.run(worker, "probe isolation", targets, CallBudget.NONE.handler()));
    }
  }

  /** Runs the attempts in a worker of a separate server process, which is not root. */
  private String attemptsUnderUnprivilegedServer(String preparation) throws Exception {
    WorkerProgram program = program();
    List<String> classPath = classes.stream().map(Path::toString).toList();
    Process process =
        new ProcessBuilder(
                List.of(
                    "unshare",
                    "--mount",
                    "sh",
                    "-ec",
                    preparation + "exec \"$@\"",
                    "sh",
                    "setpriv",
                    "--reuid=" + USER_ID,
                    "--regid=" + USER_ID,
                    "--clear-groups",
                    program.java().toString(),
                    "-cp",
                    String.join(":", classPath),
                    UnprivilegedServer.class.getName(),
                    secret.toString(),
                    folder.toString(),
                    Integer.toString(listener.getLocalPort())))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The main class of the unprivileged server process. */
  static final class UnprivilegedServer {

    private UnprivilegedServer() {}

    public static void main(String[] arguments) throws Exception {
      WorkerProgram program = FakeWorkerPool.program(FakeWorker.class.getName());
      WorkerIsolation isolation = WorkerIsolation.find(program);
      String attempts =
          successfulAttempts(program, isolation, arguments[0], arguments[1], arguments[2]);
      System.out.print(isolation.level() + ": " + attempts);
    }
  }
}
