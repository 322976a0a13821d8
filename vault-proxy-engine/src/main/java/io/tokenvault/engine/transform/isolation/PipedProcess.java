package io.tokenvault.engine.transform.isolation;

import java.io.File;
import java.io.IOException;
import java.util.List;

/** Starts processes that are given nothing but pipes. */
public final class PipedProcess {

  private PipedProcess() {}

  /** What it writes to its standard error can hold data and is dropped by the system. */
  public static Process start(List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(new File("/"))
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().clear();
    return builder.start();
  }

  /**
   * The process that does the work: itself, or the one that it has put into namespaces and waits
   * for.
   */
  public static ProcessHandle innermost(Process process) {
    return process.children().findFirst().orElseGet(process::toHandle);
  }
}
