package io.tokenvault.engine.transform.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.engine.transform.PatientPool;
import io.tokenvault.engine.transform.PlayedPool;
import io.tokenvault.engine.transform.PlayedWorker;
import io.tokenvault.engine.transform.PublicClasses;
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

  private static final String NOBODY = "65533";

  @TempDir Path folder;
  private List<Path> classes;
  private Path secret;
  @AutoClose private ServerSocket server;

  @BeforeEach
  void setUp() throws IOException {
    classes = PublicClasses.in(Files.createDirectory(folder.resolve("classes")));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    secret = Files.writeString(folder.resolve("keys"), "for the server only");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void withARootOfItsOwnAWorkerCanDoNothing() throws Exception {
    assumeRoot();

    assertThat(done(IsolationLevel.OWN_ROOT)).isEmpty();
  }

  @Tag("long")
  @Test
  void serverOfUnprivilegedUserIsolatesItsWorkersToo() throws Exception {
    assumeRoot();
    assumeWorks("setpriv", "--reuid=" + NOBODY, "unshare", "--user", "--map-root-user", "--mount");
    Files.setAttribute(secret, "unix:uid", Integer.valueOf(NOBODY));

    // It is root only inside its own user namespace, which gives it no privileges.
    assertThat(doneUnderAPlainUser()).isEqualTo("OWN_ROOT: root user");
  }

  @Tag("long")
  @Test
  void anotherUserWithoutNetworkSeesPublicFilesOnly() throws Exception {
    assumeRoot();

    assertThat(done(IsolationLevel.OTHER_USER_NO_NETWORK))
        .isEqualTo("accounts read,file written,process started");
  }

  @Test
  void anotherUserSeesPublicFilesAndTheNetworkOnly() throws Exception {
    assumeRoot();

    assertThat(done(IsolationLevel.OTHER_USER))
        .isEqualTo("accounts read,connected,file written,process started,processes seen");
  }

  @Tag("long")
  @Test
  void unisolatedWorkerHasPrivilegesOfServer() throws Exception {
    assumeRoot();

    assertThat(done(IsolationLevel.NONE))
        .isEqualTo(
            "accounts read,connected,environment read,file read,file written,memory opened,"
                + "open files seen,privileges,process started,processes seen,root user");
  }

  @Test
  void twoWorkersAreTwoUsers() {
    assumeRoot();
    WorkerProgram program = program();
    WorkerIsolation confinement =
        WorkerIsolation.at(IsolationLevel.OTHER_USER, program).orElseThrow();

    assertThat(confinement.command(program, List.of()))
        .isNotEqualTo(confinement.command(program, List.of()));
  }

  @Test
  void levelInWhichWorkerCannotStartIsNotInForce() throws IOException {
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
  void levelIsNoneIfNoLevelWorks() {
    WorkerProgram absent =
        new WorkerProgram(program().javaHome(), List.of(folder), PlayedWorker.class.getName());

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
    return WorkerProgram.onThisJava(classes.subList(0, 2), PlayedWorker.class.getName());
  }

  private String done(IsolationLevel level) throws Exception {
    if (level == IsolationLevel.OWN_ROOT || level == IsolationLevel.OTHER_USER_NO_NETWORK) {
      assumeWorks("unshare", "--net", "--mount", "--pid", "--fork");
    }
    WorkerIsolation confinement = WorkerIsolation.at(level, program()).orElseThrow();
    return done(program(), confinement, targets(ProcessHandle.current().pid()));
  }

  private String targets(long pid) {
    return secret + "\n" + folder + "\n" + pid + "\n" + server.getLocalPort();
  }

  private static String done(WorkerProgram program, WorkerIsolation confinement, String targets)
      throws WorkerFailedException {
    ToWorker.Begin begin = new ToWorker.Begin(false, List.of());
    WorkerLauncher launcher =
        new WorkerLauncher(() -> new IsolatedProgram.Found(program, confinement), begin);
    try (WorkerPool pool = new WorkerPool(PatientPool.forTransforms(1), launcher)) {
      return pool.run(
          UUID.randomUUID(),
          lease -> PlayedPool.play(lease, "look around", targets, CallBudget.NONE.handler()));
    }
  }

  /** Runs the attempts in a worker of a separate server process, which is not root. */
  private String doneUnderAPlainUser() throws Exception {
    WorkerProgram program = program();
    List<String> classPath = classes.stream().map(Path::toString).toList();
    Process plain =
        new ProcessBuilder(
                List.of(
                    "setpriv",
                    "--reuid=" + NOBODY,
                    "--regid=" + NOBODY,
                    "--clear-groups",
                    program.java().toString(),
                    "-cp",
                    String.join(":", classPath),
                    PlainServer.class.getName(),
                    secret.toString(),
                    folder.toString(),
                    Integer.toString(server.getLocalPort())))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return new String(plain.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      plain.destroyForcibly();
    }
  }

  /** The main class of the unprivileged server process. */
  static final class PlainServer {

    private PlainServer() {}

    public static void main(String[] arguments) throws Exception {
      List<Path> classes =
          List.of(
              WorkerProgram.sourceOf(WorkerPool.class), WorkerProgram.sourceOf(PlainServer.class));
      WorkerProgram program = WorkerProgram.onThisJava(classes, PlayedWorker.class.getName());
      WorkerIsolation confinement = WorkerIsolation.find(program);
      String pid = Long.toString(ProcessHandle.current().pid());
      String targets = String.join("\n", arguments[0], arguments[1], pid, arguments[2]);
      System.out.print(confinement.level() + ": " + done(program, confinement, targets));
    }
  }
}
