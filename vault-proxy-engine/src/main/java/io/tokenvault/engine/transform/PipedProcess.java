package io.tokenvault.engine.transform;

import java.io.File;
import java.io.IOException;
import java.util.List;

/** Starts processes that are given nothing but pipes, and ends them. */
final class PipedProcess {

  private PipedProcess() {}

  /** What it writes to its standard error can hold data and is dropped by the system. */
  static Process start(List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    return builder.start();
  }

  /**
   * Does not wait for the end, and leaves the pipes to those who read and write them. The system
   * ends the children with it.
   */
  static void end(Process process) {
    process.toHandle().destroyForcibly();
  }
}
