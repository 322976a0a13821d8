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
  public Exchange apply(Exchange exchange) {
    Repetition repetition = exchange.repetition();
    if (repetition.sent().isEmpty()) {
      return exchange;
    }
    Intent intent =
        invocations.announce(exchange.admission(), repetition.sent().get(), exchange.memory());
    return intent
        .earlier()
        .map(
            earlier ->
                exchange
                    .with(answers.again(earlier, exchange.call().method()))
                    .with(repetition.answered()))
        .orElseGet(() -> exchange.with(repetition.with(intent)));
  }
}
