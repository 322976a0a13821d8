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
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations.Intent;
import io.tokenvault.ports.usecase.idempotency.RecordedResponse;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What becomes of requests that may be sent again, and what a repeat is answered. */
public final class ResponseRecorder {

  /** Longer answers are passed on and not kept, in bytes. */
  static final int MAX_BODY = 1 << 20;

  /** How many times a kept body is in memory: as it came, with its headers as JSON, encrypted. */
  private static final int COPIES = 5;

  private static final byte[] NO_BYTES = {};
  private static final byte[] NOT_KEPT =
      "{\"detail\":\"This request was carried out before; its answer is not kept.\"}"
          .getBytes(StandardCharsets.US_ASCII);

  /** Nothing has left before the connection to the destination is made. */
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
  private final boolean bodies;

  /**
   * @param bodies whether headers and bodies are kept, and not the status only
   */
  public ResponseRecorder(ServiceHeaders names, boolean bodies) {
    this.names = names;
    this.bodies = bodies;
  }

  /** Notes the answer of an exchange that may be sent again, before anybody gets it. */
  void keep(Exchange exchange) {
    Optional<Intent> intent = intent(exchange);
    if (intent.isEmpty()) {
      return;
    }
    ProxyAnswer answer = exchange.answer().orElseThrow();
    if (!bodies || hasNoRoom(answer)) {
      intent.get().answered(statusOnly(answer));
      return;
    }
    BodyMemoryBudget.Reservation memory = exchange.memory().openAnother();
    try {
      memory.hold(COPIES * answer.bodyLength().orElse(MAX_BODY));
    } catch (RefusedException full) {
      memory.close();
      intent.get().answered(statusOnly(answer));
      return;
    }
    try {
      exchange.setAnswer(keepWhole(answer, intent.get(), memory));
    } catch (RuntimeException | Error failed) {
      memory.close();
      throw failed;
    }
  }

  private static boolean hasNoRoom(ProxyAnswer answer) {
    return answer.bodyLength().orElse(0) > MAX_BODY;
  }

  private ProxyAnswer keepWhole(
      ProxyAnswer answer, Intent intent, BodyMemoryBudget.Reservation memory) {
    byte[] beginning = beginning(answer, intent);
    if (beginning.length > MAX_BODY) {
      intent.answered(statusOnly(answer));
      return with(
          answer,
          new HeldBeginning(
              new SequenceInputStream(new ByteArrayInputStream(beginning), answer.body()), memory));
    }
    intent.answered(
        new RecordedResponse(
            answer.status(),
            answer.headers(),
            Optional.of(SensitiveValue.of(beginning)),
            true,
            false,
            List.of()));
    return with(answer, new HeldBeginning(new WholeBody(beginning, answer.body()), memory));
  }

  private byte[] beginning(ProxyAnswer answer, Intent intent) {
    try {
      return answer.body().readNBytes(MAX_BODY + 1);
    } catch (IOException cutShort) {
      intent.answered(statusOnly(answer));
      throw new RefusedException(
          FailureCause.DESTINATION_BROKE_OFF, "The destination's answer broke off before its end.");
    }
  }

  private static ProxyAnswer with(ProxyAnswer answer, InputStream body) {
    return new ProxyAnswer(answer.status(), answer.headers(), body, answer.bodyLength());
  }

  private RecordedResponse statusOnly(ProxyAnswer answer) {
    return new RecordedResponse(
        answer.status(),
        answer.headers().stream().filter(field -> field.is(names.destinationStatus())).toList(),
        Optional.empty(),
        false,
        false,
        List.of());
  }

  /** Notes what became of an exchange that failed. */
  static void fail(Exchange exchange, Step step, Throwable failure) {
    Optional<Intent> intent = intent(exchange);
    if (intent.isEmpty()) {
      return;
    }
    if (exchange.answer().isPresent()) {
      intent.get().answered(RecordedResponse.statusOnly(exchange.answer().get().status()));
    } else if (wasNeverSent(exchange, step, failure)) {
      intent.get().withdraw();
    } else {
      intent.get().abandon();
    }
  }

  /** Nobody will know what an exchange was answered. */
  static void lose(Exchange exchange) {
    intent(exchange).ifPresent(Intent::abandon);
  }

  private static Optional<Intent> intent(Exchange exchange) {
    return exchange.repetition().flatMap(Idempotency::intent);
  }

  /** What a transform of the request has fetched before it failed was sent as well. */
  private static boolean wasNeverSent(Exchange exchange, Step step, Throwable failure) {
    return exchange.admission().transform(TransformKind.REQUEST).isEmpty()
        && failure instanceof VaultException refused
        && (!(step instanceof Forward) || NEVER_SENT.contains(refused.failure()));
  }

  /** What a repeat is answered. */
  ProxyAnswer again(RecordedResponse kept, String method) {
    List<HeaderField> fields = new ArrayList<>(kept.headers());
    fields.add(
        new HeaderField(
            names.idempotencyRepeat(), kept.isWhole() ? "true" : "true; answer-not-kept"));
    if (!kept.isWhole()) {
      fields.add(new HeaderField("Content-Type", "application/json"));
    }
    byte[] body =
        kept.isWhole() ? kept.body().map(SensitiveValue::open).orElse(NO_BYTES) : NOT_KEPT;
    boolean isBodyless = BodyRules.isBodyless(kept.status());
    boolean isSent = !isBodyless && !method.equals("HEAD");
    return new ProxyAnswer(
        kept.status(),
        fields,
        new ByteArrayInputStream(isSent ? body : NO_BYTES),
        isBodyless ? OptionalLong.empty() : OptionalLong.of(body.length));
  }

  /** A body that is in memory, in part at least; it counts until it is closed. */
  private static final class HeldBeginning extends FilterInputStream {

    private final BodyMemoryBudget.Reservation memory;

    HeldBeginning(InputStream body, BodyMemoryBudget.Reservation memory) {
      super(body);
      this.memory = memory;
    }

    @Override
    public void close() throws IOException {
      try {
        super.close();
      } finally {
        memory.close();
      }
    }
  }

  /** A body that was read to its end; closing it closes where it came from. */
  private static final class WholeBody extends ByteArrayInputStream {

    private final InputStream source;

    WholeBody(byte[] bytes, InputStream source) {
      super(bytes);
      this.source = source;
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }
}
