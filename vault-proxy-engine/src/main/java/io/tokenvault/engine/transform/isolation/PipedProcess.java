package io.tokenvault.engine.transform.isolation;

import java.io.File;
import java.io.IOException;
import java.util.List;

/** Starter of processes that have pipes as their only connection to the server. */
public final class PipedProcess {

  private PipedProcess() {}

  /**
   * Starts a command in the root directory with an empty environment. Its standard error can
   * contain data and is discarded by the operating system.
   *
   * @param command the program and its arguments
   * @throws IOException if the operating system does not start it
   */
  public static Process start(List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    return builder.start();
  }

  /**
   * Returns the process that does the work: the process itself, or its child if it has put one into
   * namespaces and waits for it.
   */
  public static ProcessHandle innermost(Process process) {
    return process.children().findFirst().orElseGet(process::toHandle);
  }
}
