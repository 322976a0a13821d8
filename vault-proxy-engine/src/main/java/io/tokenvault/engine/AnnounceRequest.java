package io.tokenvault.engine;

import io.tokenvault.ports.usecase.RepeatableInvocations;
import io.tokenvault.ports.usecase.RepeatableInvocations.Intent;

/**
 * Notes durably that a request that may be sent again is about to be sent, or gives what it was
 * answered before. Both were authorised and recorded alike; nothing was sent yet.
 */
final class AnnounceRequest implements Step {

  private final RepeatableInvocations invocations;
  private final KeptAnswers answers;

  AnnounceRequest(RepeatableInvocations invocations, KeptAnswers answers) {
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

  private void announce(Exchange exchange, Repetition repetition) {
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
