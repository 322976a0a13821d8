package io.tokenvault.engine.pipeline;

import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Idempotency;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations.Intent;

/**
 * Records durably that a request with an idempotency key is about to be sent, or replays the
 * response to an earlier request with that key. By then both were authorized and recorded in the
 * audit log, and nothing was sent yet.
 *
 * <p>Requests without an idempotency key are left unchanged.
 */
public final class AnnounceRequest implements Step {

  private final IdempotentInvocations invocations;
  private final ResponseRecorder answers;

  public AnnounceRequest(IdempotentInvocations invocations, ResponseRecorder answers) {
    this.invocations = invocations;
    this.answers = answers;
  }

  @Override
  public String name() {
    return "AnnounceRequest";
  }

  @Override
  public void apply(Exchange exchange) {
    exchange.repetition().ifPresent(repetition -> announce(exchange, repetition));
  }

  /** Announces the request, or replays the recorded response if it was announced before. */
  private void announce(Exchange exchange, Idempotency repetition) {
    Intent intent =
        invocations.announce(
            exchange.admission(), repetition.sent().orElseThrow(), exchange.memory());
    if (intent.earlier().isEmpty()) {
      exchange.setRepetition(repetition.with(intent));
      return;
    }
    exchange.setAnswer(answers.again(intent.earlier().get(), exchange.call().method()));
    exchange.setRepetition(repetition.answered());
  }
}
