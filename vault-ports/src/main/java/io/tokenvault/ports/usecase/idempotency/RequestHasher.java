package io.tokenvault.ports.usecase.idempotency;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.store.RequestJournal.Meeting;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import java.time.Duration;
import java.util.UUID;

/** Computes the keyed hashes of requests, and maps unsuccessful meetings to failures. */
final class RequestHasher {

  /** The time for which a request stays recorded. */
  private static final Duration KEPT = Duration.ofHours(24);

  private final TokenHasher hasher;

  RequestHasher(TokenHasher hasher) {
    this.hasher = hasher;
  }

  IdempotentRequest of(Caller caller, SentRequest sent) {
    TenantKeys keys = caller.keys();
    return new IdempotentRequest(
        caller.tenantId(),
        caller.application().id(),
        UUID.randomUUID(),
        hasher.requests(keys, sent.place(caller.id().toString())),
        hasher.requests(keys, sent.content()),
        keys.keys().size(),
        KEPT);
  }

  /** Returns the failure for a request that is neither the first nor has a recorded response. */
  static RefusedException refusal(Meeting met) {
    if (met instanceof Meeting.Running) {
      return new RefusedException(
          FailureCause.REQUEST_RUNNING,
          "The first request with this idempotency key is still in progress; try again.");
    }
    if (met instanceof Meeting.Different) {
      return new RefusedException(
          FailureCause.IDEMPOTENCY_KEY_USED,
          "This idempotency key was used with another body, query or destination; use a new key"
              + " for a new request.");
    }
    return met instanceof Meeting.Lost ? outcomeUnknown() : OptimisticExecutor.outdated();
  }

  private static RefusedException outcomeUnknown() {
    return new RefusedException(
        FailureCause.OUTCOME_UNKNOWN,
        "The first request with this idempotency key may have reached its destination, so it is"
            + " not sent again. Its outcome is unknown: check with the destination, and use a new"
            + " key to send the request again.");
  }
}
