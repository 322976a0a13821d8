package io.tokenvault.benchmark;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** From the start of the process to its first answer that it is ready, on data that are there. */
@Command(
    name = "start",
    description = "how long a start takes on existing data",
    mixinStandardHelpOptions = true)
final class StartPart extends Part {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @Option(
      names = "--tokens",
      defaultValue = "10000",
      description = "rows; default: ${DEFAULT-VALUE}")
  private int tokens;

  StartPart() {
    super("Start");
  }

  @Override
  void measure(Stand stand) {
    ProxiedRequest.withTokens(stand.caller(), 1);
    try (Database database = stand.vault().database()) {
      new Rows(database).addTokens(tokens);
    }
    stand.vault().close();
    Figures seconds = new Figures();
    for (int round = 1; round <= options.rounds; round++) {
      double cpu = CpuTime.micros();
      double taken = start(stand);
      report.line(
          "round %d, load %s: %.2f s, processor time %.2f s",
          round, Report.load(), taken, (CpuTime.micros() - cpu) / 1e6);
      seconds.add(taken);
    }
    report.line("seconds, median (least to most): %s   at most 3", seconds);
  }

  private double start(Stand stand) {
    int port = Workspace.freePort();
    long begin = System.nanoTime();
    try (RunningProgram vault = VaultUnderTest.launchAgain(stand.workspace(), options, port)) {
      while (!isReady(port)) {
        if (!vault.isAlive()) {
          throw new IllegalStateException("the vault has ended:\n" + vault.output());
        }
        RunningProgram.pause(RunningProgram.MILLIS_BETWEEN_LOOKS);
      }
      return (System.nanoTime() - begin) / 1e9;
    }
  }

  private static boolean isReady(int port) {
    try {
      URI uri = URI.create("http://127.0.0.1:" + port + "/readyz");
      return CLIENT
              .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
