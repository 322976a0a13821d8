package io.tokenvault.engine;

import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.ports.usecase.RepeatableInvocations.Intent;
import io.tokenvault.ports.usecase.SentRequest;
import java.util.Optional;

/**
 * What is known of a request that its caller may send again.
 *
 * @param key with which the caller says so; empty if it does not
 * @param sent what tells it from others, once its body is known
 * @param intent the note that it is about to be sent, once there is one
 * @param isAnswered whether it is a repeat and has its answer; no further step is taken
 */
record Repetition(
    Optional<IdempotencyKey> key,
    Optional<SentRequest> sent,
    Optional<Intent> intent,
    boolean isAnswered) {

  static final Repetition NONE =
      new Repetition(Optional.empty(), Optional.empty(), Optional.empty(), false);

  static Repetition of(IdempotencyKey key) {
    return new Repetition(Optional.of(key), Optional.empty(), Optional.empty(), false);
  }

  Repetition with(SentRequest digest) {
    return new Repetition(key, Optional.of(digest), intent, isAnswered);
  }

  Repetition with(Intent noted) {
    return new Repetition(key, sent, Optional.of(noted), isAnswered);
  }

  Repetition answered() {
    return new Repetition(key, sent, intent, true);
  }
}
