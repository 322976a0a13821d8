package io.tokenvault.server.cli;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.engine.transform.WorkerTransforms;
import io.tokenvault.engine.transform.module.ModuleCheck.Report;
import io.tokenvault.server.assembly.TransformWorkers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compiles and loads the operator's modules as a server does. */
@Command(
    name = "check",
    description = {
      "Compile each module and package of a folder and load it once, as a server with this",
      "VAULT_TRANSFORM_MODULES_DIR does. Prints a line for each: its name, the number of files",
      "that it loads, and the time; or why it cannot be used."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all can be used",
      "1:some cannot be used",
      "2:invalid command line, or the folder cannot be read",
      "3:invalid setting, or no worker can start; see standard error"
    })
final class ModulesCheck extends VaultCommand {

  private static final double NANOS_PER_SECOND = 1e9;

  @Parameters(index = "0", paramLabel = "DIR", description = "Folder of modules.")
  private Path folder;

  private long since;

  @Override
  public Integer call() {
    if (!Files.isReadable(folder) || !Files.isDirectory(folder)) {
      throw wrongCommandLine(folder + " is not a directory that can be read");
    }
    AtomicInteger failed = new AtomicInteger();
    try (WorkerTransforms workers =
        TransformWorkers.startForOne(
            context().configuration().transforms().withModulesDirectory(folder))) {
      since = System.nanoTime();
      workers
          .moduleCheck()
          .run(
              report -> {
                print(report);
                report.problem().ifPresent(problem -> failed.incrementAndGet());
              });
    } catch (RefusedException noWorker) {
      err().println(noWorker.getMessage());
      return CommandFailures.MISCONFIGURED;
    }
    return failed.get() > 0 ? CommandFailures.FAILED : 0;
  }

  private void print(Report report) {
    double seconds = (System.nanoTime() - since) / NANOS_PER_SECOND;
    String result =
        report
            .problem()
            .map(problem -> "failed: " + problem)
            .orElseGet(
                () ->
                    report.files() == 0
                        ? "no main module"
                        : "ok, %d files, %.1f s".formatted(report.files(), seconds));
    out().println(report.name() + ": " + result);
    out().flush();
    since = System.nanoTime();
  }
}
