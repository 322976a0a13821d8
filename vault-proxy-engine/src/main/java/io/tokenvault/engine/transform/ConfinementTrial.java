package io.tokenvault.engine.transform;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a process that is shut in and lets it try what it must not be able to do. */
final class ConfinementTrial {

  private static final int LIMIT_SECONDS = 20;
  private static final List<String> FLAGS =
      List.of("-Xmx16m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

  private ConfinementTrial() {}

  static boolean passes(Confinement confinement, WorkerProgram program) {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Process trial = start(confinement, program, server.getLocalPort());
      try {
        return trial.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)
            && trial.exitValue() == ConfinementCheck.KEPT;
      } finally {
        PipedProcess.innermost(trial).destroyForcibly();
      }
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static Process start(Confinement confinement, WorkerProgram program, int port)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(confinement.level().name());
    arguments.add(Long.toString(ProcessHandle.current().pid()));
    arguments.add(Integer.toString(port));
    if (confinement.level() == ConfinementLevel.OWN_ROOT) {
      arguments.addAll(Confinement.root(program).names());
    }
    String check = ConfinementCheck.class.getName();
    return PipedProcess.start(
        confinement.command(program, program.command(FLAGS, check, arguments)));
  }
}
