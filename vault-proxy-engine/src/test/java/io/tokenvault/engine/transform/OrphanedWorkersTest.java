package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.engine.transform.isolation.IsolationLevel;
import io.tokenvault.engine.transform.isolation.WorkerIsolation;
import io.tokenvault.engine.transform.pool.CallBudget;
import io.tokenvault.engine.transform.pool.WorkerFailedException;
import io.tokenvault.engine.transform.pool.WorkerPool;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that workers end when their server is killed and cannot stop them. */
final class OrphanedWorkersTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(names = "OWN_ROOT")
  void workerDoesNotOutliveKilledServer(IsolationLevel level) throws Exception {
    assertWorkersEndWithServer(level);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(names = {"OTHER_USER_NO_NETWORK", "OTHER_USER", "NONE"})
  void workerOfOtherLevelDoesNotOutliveKilledServer(IsolationLevel level) throws Exception {
    assertWorkersEndWithServer(level);
  }

  private void assertWorkersEndWithServer(IsolationLevel level) throws Exception {
    Process server = server(level);
    try {
      List<ProcessHandle> workers = workersOf(server);
      assumeTrue(
          !workers.isEmpty(),
          "The system does not allow isolation "
              + level
              + ": install util-linux, run as root, and allow namespaces (in a container:"
              + " --privileged)");
      assertThat(workers).hasSizeGreaterThanOrEqualTo(2);

      server.destroyForcibly();

      Eventually.holds("all workers have exited", () -> WorkerProcesses.haveExited(workers));
    } finally {
      server.destroyForcibly();
    }
  }

  private Process server(IsolationLevel level) throws Exception {
    List<String> classPath =
        WorldReadableClasses.copyTo(folder).stream().map(Path::toString).toList();
    return new ProcessBuilder(
            FakeWorkerPool.PROGRAM.java().toString(),
            "-cp",
            String.join(":", classPath),
            BusyServer.class.getName(),
            level.name())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** Waits until the workers are busy and returns them; none if the level does not work. */
  private static List<ProcessHandle> workersOf(Process server) throws Exception {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
    return "busy".equals(output.readLine()) ? server.descendants().toList() : List.of();
  }

  /** The main class of the server process, with one busy worker and one idle worker. */
  static final class BusyServer {

    private BusyServer() {}

    public static void main(String[] arguments) throws Exception {
      Optional<WorkerIsolation> isolation =
          WorkerIsolation.at(IsolationLevel.valueOf(arguments[0]), FakeWorkerPool.PROGRAM);
      if (isolation.isPresent()) {
        serve(new FakeWorkerPool().size(2).start(isolation.get()));
      }
    }

    private static void serve(WorkerPool pool) throws Exception {
      FakeWorkerPool.run(pool, new UUID(0, 1), "name");
      CountDownLatch running = new CountDownLatch(1);
      Thread loop = new Thread(() -> loop(pool, running));
      loop.start();
      running.await();
      System.out.println("busy");
      loop.join();
    }

    private static void loop(WorkerPool pool, CountDownLatch running) {
      try {
        pool.run(
            new UUID(0, 2),
            worker -> {
              running.countDown();
              return FakeWorkerPool.run(worker, "loop", "", CallBudget.NONE.handler());
            });
      } catch (WorkerFailedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
