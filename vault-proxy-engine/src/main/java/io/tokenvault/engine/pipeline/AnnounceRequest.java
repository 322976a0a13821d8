package io.tokenvault.engine.pipeline;

import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Idempotency;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations.Intent;

/**
 * Notes durably that a request that may be sent again is about to be sent, or gives what it was
 * answered before. Both were authorised and recorded alike; nothing was sent yet.
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
