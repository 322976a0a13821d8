package io.tokenvault.engine.transform;

import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Program;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Run;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.content.Headers;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the transforms of a proxy and turns their results into messages.
 *
 * <p>Thread-safe.
 */
public final class Transforms {

  /** The memory that passing a body to or from a transform takes, in bytes for each byte of it. */
  public static final int WORK = 6;

  private static final String CONTENT_TYPE = "Content-Type";
  private static final int LEAST_STATUS = 200;
  private static final int GREATEST_STATUS = 599;

  private final TransformRunner runner;
  private final TransformHosts hosts;
  private final int limit;

  /**
   * Creates a runner of transforms.
   *
   * @param hosts the environment: invocation or dry run
   * @param limit the greatest size of a body that a transform returns, in bytes
   */
  public Transforms(TransformRunner runner, TransformHosts hosts, int limit) {
    this.runner = runner;
    this.hosts = hosts;
    this.limit = limit;
  }

  /** Result of a transform. */
  public sealed interface Result {

    /** The changed message, which replaces the original one. */
    record Changed(HttpMessage message) implements Result {}

    /**
     * A response of the transform's own, which ends the invocation at this point.
     *
     * @param status 200 to 599
     */
    record Response(int status, HttpMessage message) implements Result {}
  }

  /**
   * Runs a transform on a message.
   *
   * @param exchange the invocation, whose memory budget is charged for the result
   * @param message the message, whose body has no content coding any more
   * @param content the body of the message, in the form that the transform receives
   * @throws VaultException if the transform fails or returns something that cannot be sent
   */
  public Result run(Exchange exchange, Program program, HttpMessage message, Content content) {
    Run run = new Run(program, content, TransformContext.of(exchange, hosts, message.headers()));
    TransformFailures failures = failures(program.kind());
    Ending ending;
    try (TransformHosts.Opened host = hosts.open(exchange)) {
      ending = runner.run(run, host);
      if (host.failedOnVault(isOutOfTime(ending))) {
        throw failures.unavailable();
      }
    }
    if (ending instanceof Ending.Broken broken) {
      throw failures.of(broken.reason());
    }
    Outcome outcome = ((Ending.Reported) ending).finished().outcome();
    return result(outcome, message, exchange.memory(), failures);
  }

  /** Returns the translator of failures for transforms of this kind. */
  public TransformFailures failures(TransformKind kind) {
    return new TransformFailures(kind, hosts.isDryRun());
  }

  /** Returns whether the run exceeded its time limit, as seen by the server or by the worker. */
  private static boolean isOutOfTime(Ending ending) {
    return ending instanceof Ending.Broken broken
        ? broken.reason().isOutOfTime()
        : ((Ending.Reported) ending).finished().outcome() instanceof Outcome.Failed failed
            && failed.kind() == FailureKind.WALL_TIME;
  }

  /**
   * Turns an outcome of a worker into a result; the outcome is not trusted.
   *
   * @throws VaultException if the script failed or its result cannot be sent
   */
  private Result result(
      Outcome outcome,
      HttpMessage before,
      BodyMemoryBudget.Reservation memory,
      TransformFailures failures) {
    if (outcome instanceof Outcome.Returned returned) {
      memory.reserve((long) WORK * returned.body().length);
      List<HeaderField> headers =
          returned.headers().map(json -> headers(json, failures)).orElse(before.headers());
      Content content = new Content(returned.kind(), returned.body());
      return new Result.Changed(message(headers, content, before.body(), failures));
    }
    if (outcome instanceof Outcome.ResponseThrown response) {
      memory.reserve((long) WORK * response.body().length);
      Content content = new Content(response.kind(), response.body());
      List<HeaderField> headers = headers(response.headers(), failures);
      HttpMessage message = message(headers, content, Optional.empty(), failures);
      return new Result.Response(status(response, failures), message);
    }
    throw outcome instanceof Outcome.ErrorThrown threw
        ? failures.of(threw)
        : failures.of((Outcome.Failed) outcome);
  }

  private static int status(Outcome.ResponseThrown response, TransformFailures failures) {
    if (response.status() < LEAST_STATUS || response.status() > GREATEST_STATUS) {
      throw failures.unsendable("status", "is not a response status");
    }
    return response.status();
  }

  private static List<HeaderField> headers(String json, TransformFailures failures) {
    try {
      return Headers.fields(json);
    } catch (UnusableContentException unusable) {
      throw failures.unsendable("headers", unusable.getMessage());
    }
  }

  /**
   * Builds a message of the headers and the body that a transform returned. A JSON body without a
   * content type is given {@code application/json}.
   *
   * @param before the original body, which remains if the transform returned none
   */
  private HttpMessage message(
      List<HeaderField> headers,
      Content content,
      Optional<byte[]> before,
      TransformFailures failures) {
    if (content.kind() == BodyKind.ABSENT) {
      return new HttpMessage(headers, before);
    }
    Optional<String> type = Headers.value(headers, CONTENT_TYPE);
    List<HeaderField> typed = new ArrayList<>(headers);
    if (content.kind() == BodyKind.JSON && type.isEmpty()) {
      typed.add(new HeaderField(CONTENT_TYPE, "application/json"));
    }
    return new HttpMessage(typed, body(content, type, failures));
  }

  /** Encodes a body for its content type and checks its size. */
  private Optional<byte[]> body(
      Content content, Optional<String> type, TransformFailures failures) {
    try {
      Optional<byte[]> written = content.written(type);
      if (written.map(bytes -> bytes.length).orElse(0) > limit) {
        throw failures.tooLarge();
      }
      return written;
    } catch (UnusableContentException unusable) {
      throw failures.unsendable("body", unusable.getMessage());
    }
  }

  /**
   * Headers and body of a request or response, which a transform may change.
   *
   * @param headers all fields, in order, including repeated ones
   * @param body the body without a content coding; empty if there is none
   */
  public record HttpMessage(List<HeaderField> headers, Optional<byte[]> body) {

    private static final byte[] NO_BYTES = {};

    public HttpMessage {
      headers = List.copyOf(headers);
    }

    /** Returns the body, or no bytes if there is none. */
    public byte[] bytes() {
      return body.orElse(NO_BYTES);
    }

    /** Returns the length of the body in bytes; 0 if there is no body. */
    public int bodyLength() {
      return bytes().length;
    }

    /** Returns a constant, since headers and body can be secret. */
    @Override
    public String toString() {
      return "HttpMessage[redacted]";
    }
  }

  /**
   * Environment in which transforms run: an invocation or a dry run.
   *
   * <p>It decides whether transforms are given the {@code bt} client, and opens a host for each
   * run.
   */
  public interface TransformHosts {

    /** Returns whether transforms of this exchange are given the {@code bt} client. */
    boolean hasClient(Exchange exchange);

    /** Returns whether this is a dry run, which sends nothing to the destination. */
    boolean isDryRun();

    /**
     * Opens the host of one run.
     *
     * @return a host that the caller must close when the run is over
     */
    Opened open(Exchange exchange);

    /** Host of one run; closed when the run is over. */
    interface Opened extends TransformRunner.Host, AutoCloseable {

      /**
       * Returns whether the vault was unavailable for a call of the run.
       *
       * @param outOfTime whether the run exceeded its time limit; then calls that are still waiting
       *     for the vault count too
       */
      boolean failedOnVault(boolean outOfTime);

      /** Cancels the calls in progress and rejects later ones. */
      @Override
      void close();
    }
  }
}
