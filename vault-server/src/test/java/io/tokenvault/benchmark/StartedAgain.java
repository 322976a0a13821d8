package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Options;
import io.tokenvault.benchmark.program.RunningProgram;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.benchmark.program.Workspace;
import io.tokenvault.server.place.Unchecked;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * The vault of a stand, started again on the data of the first start, which has ended.
 *
 * @param secondsToReady from the start of the process to the first status 200 of {@code /readyz}
 */
record StartedAgain(RunningProgram program, String url, double secondsToReady)
    implements AutoCloseable {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Starts it and waits until it is ready. */
  static StartedAgain start(Stand stand, Options options) {
    int port = Workspace.freePort();
    String url = "http://127.0.0.1:" + port;
    long begin = System.nanoTime();
    RunningProgram program =
        VaultUnderTest.launchAgain(stand.workspace(), options, stand.destination(), port);
    while (!isReady(url)) {
      if (!program.isAlive()) {
        throw new IllegalStateException("the vault has ended:\n" + program.output());
      }
      RunningProgram.pause(RunningProgram.MILLIS_BETWEEN_LOOKS);
    }
    return new StartedAgain(program, url, (System.nanoTime() - begin) / 1e9);
  }

  private static boolean isReady(String url) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/readyz")).build();
    try {
      return Unchecked.get(() -> CLIENT.send(request, BodyHandlers.discarding())).statusCode()
          == 200;
    } catch (UncheckedIOException notYet) {
      return false;
    }
  }

  @Override
  public void close() {
    program.close();
  }
}
