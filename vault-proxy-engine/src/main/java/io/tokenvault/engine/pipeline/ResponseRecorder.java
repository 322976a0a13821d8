package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.engine.exchange.BodyMemoryBudget;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Idempotency;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations.Intent;
import io.tokenvault.ports.usecase.idempotency.RecordedResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Records the responses to requests with an idempotency key, and replays them to retries.
 *
 * <p>A response is recorded whole, with headers and body, up to 1 MiB and as memory permits;
 * otherwise its status only is recorded. A request that surely was not sent is withdrawn, so that a
 * retry sends it.
 */
public final class ResponseRecorder {

  /** Largest body, in bytes, that is recorded; for longer ones, the status only is recorded. */
  static final int MAX_BODY = 1 << 20;

  /** Copies of a recorded body in memory: as received, as JSON with its headers, and encrypted. */
  private static final int COPIES = 5;

  private static final byte[] NO_BYTES = {};
  private static final byte[] NOT_STORED =
      "{\"detail\":\"This request was already completed; its response is not stored.\"}"
          .getBytes(StandardCharsets.US_ASCII);

  /** Failures that precede the first byte: nothing is sent before the connection is made. */
  private static final Set<FailureCause> NEVER_SENT =
      Set.of(
          FailureCause.DESTINATION_UNRESOLVED,
          FailureCause.DESTINATION_UNREACHABLE,
          FailureCause.DESTINATION_UNTRUSTED,
          FailureCause.DESTINATION_INVALID,
          FailureCause.CONNECT_TIMEOUT,
          FailureCause.VALIDATION_FAILED,
          FailureCause.OVERLOADED);

  private final ServiceHeaders names;
  private final IdempotentInvocations invocations;

  public ResponseRecorder(ServiceHeaders names, IdempotentInvocations invocations) {
    this.names = names;
    this.invocations = invocations;
  }

  /**
   * Records durably that a request with an idempotency key is about to be sent, or replays the
   * response to an earlier request with that key. Called when the invocation was authorized and
   * recorded in the audit log, and nothing was sent yet.
   */
  public void announce(Exchange exchange) {
    Idempotency idempotency = exchange.idempotency().orElseThrow();
    Intent intent =
        invocations.announce(exchange.admission(), idempotency.sent(), exchange.memory());
    if (intent.earlier().isEmpty()) {
      exchange.setIdempotency(idempotency.with(intent));
      return;
    }
    exchange.setResponse(replay(intent.earlier().get(), exchange.call().method()));
    exchange.setIdempotency(idempotency.replayed());
  }

  /** Records the response of an exchange with an idempotency key, before the caller receives it. */
  public void record(Exchange exchange) {
    Optional<Intent> intent = intent(exchange);
    if (intent.isEmpty()) {
      return;
    }
    ProxyResponse response = exchange.response().orElseThrow();
    if (!invocations.keepsBodies() || response.bodyLength().orElse(0) > MAX_BODY) {
      intent.get().complete(statusOnly(response));
      return;
    }
    BodyMemoryBudget.Reservation memory = exchange.memory().openAnother();
    try {
      memory.hold(COPIES * response.bodyLength().orElse(MAX_BODY));
    } catch (RefusedException full) {
      memory.close();
      intent.get().complete(statusOnly(response));
      return;
    }
    try {
      exchange.setResponse(recordWhole(response, intent.get(), memory));
    } catch (RuntimeException | Error failed) {
      memory.close();
      throw failed;
    }
  }

  /**
   * Records the response with its body, or with its status only if the body turns out to be too
   * long.
   *
   * @return the response with a body that can still be read from its beginning
   */
  private ProxyResponse recordWhole(
      ProxyResponse response, Intent intent, BodyMemoryBudget.Reservation memory) {
    byte[] beginning = beginning(response, intent);
    intent.complete(
        beginning.length > MAX_BODY ? statusOnly(response) : whole(response, beginning));
    // A body that was read whole is at its end: reading it again returns nothing, and closing it
    // twice has no effect.
    InputStream body =
        new SequenceInputStream(new ByteArrayInputStream(beginning), response.body());
    return new ProxyResponse(
        response.status(),
        response.headers(),
        new BufferedResponseBody(body, memory),
        response.bodyLength());
  }

  /** Reads the body up to one byte more than the limit. */
  private byte[] beginning(ProxyResponse response, Intent intent) {
    try {
      return response.body().readNBytes(MAX_BODY + 1);
    } catch (IOException cutShort) {
      intent.abandon();
      throw new RefusedException(
          FailureCause.DESTINATION_BROKE_OFF, "The destination's response ended early.");
    }
  }

  private static RecordedResponse whole(ProxyResponse response, byte[] body) {
    return new RecordedResponse(
        response.status(),
        response.headers(),
        Optional.of(SensitiveValue.of(body)),
        true,
        false,
        List.of());
  }

  private RecordedResponse statusOnly(ProxyResponse response) {
    return new RecordedResponse(
        response.status(),
        response.headers().stream().filter(field -> field.is(names.destinationStatus())).toList(),
        Optional.empty(),
        false,
        false,
        List.of());
  }

  /**
   * Records whether the request of an exchange that failed may have been sent. The destination's
   * status is not recorded, since a retry would succeed although the first request failed.
   */
  static void fail(Exchange exchange, Step step, Throwable failure) {
    Optional<Intent> intent = intent(exchange);
    if (intent.isEmpty()) {
      return;
    }
    if (exchange.response().isEmpty() && wasNeverSent(exchange, step, failure)) {
      intent.get().withdraw();
    } else {
      intent.get().abandon();
    }
  }

  /** Records that the response to an exchange is permanently unknown. */
  static void abandon(Exchange exchange) {
    intent(exchange).ifPresent(Intent::abandon);
  }

  private static Optional<Intent> intent(Exchange exchange) {
    return exchange.idempotency().flatMap(Idempotency::intent);
  }

  /**
   * Returns whether nothing was sent, including what a request transform may have fetched before it
   * failed.
   */
  private static boolean wasNeverSent(Exchange exchange, Step step, Throwable failure) {
    return exchange.admission().transform(TransformKind.REQUEST).isEmpty()
        && failure instanceof VaultException refused
        && (!step.sends() || NEVER_SENT.contains(refused.failure()));
  }

  /**
   * Returns the replay of a recorded response, with a header that marks it as such.
   *
   * @param method of the retry; for {@code HEAD}, the body is omitted
   */
  private ProxyResponse replay(RecordedResponse recorded, String method) {
    List<HeaderField> fields = new ArrayList<>(recorded.headers());
    fields.add(
        new HeaderField(
            names.idempotencyRepeat(), recorded.isWhole() ? "true" : "true; answer-not-kept"));
    if (!recorded.isWhole()) {
      fields.add(new HeaderField("Content-Type", "application/json"));
    }
    byte[] body =
        recorded.isWhole()
            ? recorded.body().map(SensitiveValue::open).orElse(NO_BYTES)
            : NOT_STORED;
    boolean hasBody = BodyRules.hasBody(method, recorded.status());
    return new ProxyResponse(
        recorded.status(),
        fields,
        new ByteArrayInputStream(hasBody ? body : NO_BYTES),
        hasBody ? OptionalLong.of(body.length) : OptionalLong.empty());
  }
}
