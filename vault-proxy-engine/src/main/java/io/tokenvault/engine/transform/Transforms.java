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
import io.tokenvault.engine.wire.FromWorker.Failing;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs the transforms of a proxy, and makes messages of what they give. */
public final class Transforms {

  /** How much memory it takes, for each byte of a body, to give it to a transform or to take it. */
  public static final int WORK = 6;

  private static final String CONTENT_TYPE = "Content-Type";
  private static final int LEAST_STATUS = 200;
  private static final int GREATEST_STATUS = 599;

  private final TransformRunner runner;
  private final TransformHosts hosts;
  private final int limit;

  /**
   * @param limit of a body that a transform gives, in bytes
   */
  public Transforms(TransformRunner runner, TransformHosts hosts, int limit) {
    this.runner = runner;
    this.hosts = hosts;
    this.limit = limit;
  }

  /** What a transform gives. */
  public sealed interface Result {

    /** The message that goes on. */
    record Changed(HttpMessage message) implements Result {}

    /** An answer of its own, instead of everything that would follow. */
    record Answered(int status, HttpMessage message) implements Result {}
  }

  /**
   * @param message whose body is in no encoding any more
   * @param content the same body as the transform sees it
   * @throws VaultException if the transform fails
   */
  public Result run(Exchange exchange, Program program, HttpMessage message, Content content) {
    Run run =
        new Run(
            program.tenantId(),
            program.key(),
            program.compiled(),
            content.kind(),
            content.bytes(),
            TransformContext.of(exchange, hosts, message.headers()));
    TransformFailures failures = failures(program.kind());
    Ending ending;
    try (TransformHosts.Opened host = hosts.open(exchange)) {
      ending = runner.run(run, host);
      if (host.missedTheVault(isOutOfTime(ending))) {
        throw failures.unavailable();
      }
    }
    if (ending instanceof Ending.Broken broken) {
      throw failures.of(broken.reason());
    }
    Outcome outcome = ((Ending.Said) ending).finished().outcome();
    return result(outcome, message, exchange.memory(), failures);
  }

  /** How failures of transforms of this kind are reported. */
  public TransformFailures failures(TransformKind kind) {
    return new TransformFailures(kind, hosts.isDryRun());
  }

  private static boolean isOutOfTime(Ending ending) {
    return ending instanceof Ending.Broken broken
        ? broken.reason() == Ending.Reason.TIME
        : ((Ending.Said) ending).finished().outcome() instanceof Outcome.Failed failed
            && failed.kind() == Failing.WALL_TIME;
  }

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
    if (outcome instanceof Outcome.Answered answered) {
      memory.reserve((long) WORK * answered.body().length);
      Content content = new Content(answered.kind(), answered.body());
      List<HeaderField> headers = headers(answered.headers(), failures);
      HttpMessage message = message(headers, content, Optional.empty(), failures);
      return new Result.Answered(status(answered, failures), message);
    }
    throw outcome instanceof Outcome.Threw threw
        ? failures.of(threw)
        : failures.of((Outcome.Failed) outcome);
  }

  private static int status(Outcome.Answered answered, TransformFailures failures) {
    if (answered.status() < LEAST_STATUS || answered.status() > GREATEST_STATUS) {
      throw failures.unsendable("status", "is no status of an answer");
    }
    return answered.status();
  }

  private static List<HeaderField> headers(String json, TransformFailures failures) {
    try {
      return Headers.fields(json);
    } catch (UnusableContentException unusable) {
      throw failures.unsendable("headers", unusable.getMessage());
    }
  }

  /**
   * @param before the body if the transform leaves it as it was
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
}
