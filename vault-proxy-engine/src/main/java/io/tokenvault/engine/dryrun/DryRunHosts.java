package io.tokenvault.engine.dryrun;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.transform.ProblemJson;
import io.tokenvault.engine.transform.TransformFetch;
import io.tokenvault.engine.transform.TransformHost.FailedCalls;
import io.tokenvault.engine.transform.TransformRunner.Host.Reply;
import io.tokenvault.engine.transform.Transforms.TransformHosts;
import java.util.Optional;
import java.util.Set;

/**
 * Serves the fetches and client calls of transforms in a dry run, from mocks and, for operations
 * that only read, from the vault. Nothing is sent.
 *
 * @param hasClient whether the transform may use the client {@code bt}
 * @param client reads the vault; empty if there is none
 */
record DryRunHosts(boolean hasClient, MockResponses mocks, Optional<Reading> client)
    implements TransformHosts {

  private static final String CLIENT = "bt.";
  private static final Set<String> READS =
      Set.of("tokens.retrieve", "tokens.list", "detokenize", "permissions.list");

  /** Reads the vault on behalf of a transform; never reveals more than masks. */
  interface Reading {
    /**
     * Runs a read operation.
     *
     * @param operation name without the prefix {@code bt.}
     */
    String read(String operation, String arguments);
  }

  @Override
  public boolean hasClient(Exchange exchange) {
    return hasClient;
  }

  @Override
  public boolean isDryRun() {
    return true;
  }

  @Override
  public Opened open(Exchange exchange) {
    FailedCalls failedCalls = new FailedCalls();
    return new Opened() {
      @Override
      public Reply call(String operation, String arguments) {
        return ProblemJson.reply(
            "a dry run",
            () ->
                operation.equals("fetch")
                    ? fetch(arguments)
                    : failedCalls.callRecordingFailure(() -> client(operation, arguments)));
      }

      /** Returns whether a client call failed, or was still waiting when the time was up. */
      @Override
      public boolean failedOnVault(boolean outOfTime) {
        return failedCalls.failedOnVault(outOfTime);
      }

      @Override
      public void close() {
        // A dry run has no outgoing requests to cancel.
      }
    };
  }

  private Reply fetch(String wanted) {
    JsonNode request = TransformFetch.readArguments(wanted);
    return mocks
        .fetch(request.path("url").asText(), request.path("method").asText("GET"))
        .map(reply -> new Reply(true, reply))
        .orElseGet(() -> missing("fetch"));
  }

  /**
   * Returns the mock for a client call or, for a read operation without one, the vault's result.
   */
  private Reply client(String operation, String arguments) {
    String name = operation.startsWith(CLIENT) ? operation.substring(CLIENT.length()) : "";
    if (!hasClient || !MockResponses.OPERATIONS.contains(name)) {
      throw ValidationException.of("error", "Unknown operation.");
    }
    Optional<String> mocked = mocks.call(name);
    if (mocked.isEmpty() && client.isPresent() && READS.contains(name)) {
      return new Reply(true, client.get().read(name, arguments));
    }
    return mocked.map(result -> new Reply(true, result)).orElseGet(() -> missing(operation));
  }

  /** Returns the failure of a call for which there is no mock. */
  private static Reply missing(String operation) {
    return new Reply(
        false,
        ProblemJson.notInDryRun(operation + " is not available in a dry run without a mock."));
  }

  /** Returns a fixed text: mocks can be secret. */
  @Override
  public String toString() {
    return "DryRunHosts[redacted]";
  }
}
