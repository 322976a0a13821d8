package io.tokenvault.ports.memory;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.store.model.ResponseSubject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A request as it is kept.
 *
 * @param runningUntil empty once it was answered
 * @param answerUntil when the answer goes before the request does
 */
record KeptRequest(
    UUID id,
    ApplicationId applicationId,
    String place,
    String content,
    Optional<Instant> runningUntil,
    Optional<EncryptedValue> answer,
    List<ResponseSubject> subjects,
    Optional<Instant> answerUntil,
    Instant expiresAt) {

  KeptRequest answered(
      Optional<EncryptedValue> given, List<ResponseSubject> about, Optional<Instant> givenUntil) {
    return new KeptRequest(
        id, applicationId, place, content, Optional.empty(), given, about, givenUntil, expiresAt);
  }

  KeptRequest with(Optional<EncryptedValue> other) {
    return new KeptRequest(
        id, applicationId, place, content, runningUntil, other, subjects, answerUntil, expiresAt);
  }

  KeptRequest runningUntil(Instant end) {
    return new KeptRequest(
        id,
        applicationId,
        place,
        content,
        Optional.of(end),
        answer,
        subjects,
        answerUntil,
        expiresAt);
  }
}
