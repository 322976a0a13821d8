package io.tokenvault.ports.store.document;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.store.RequestJournal.StoredResponse;
import io.tokenvault.ports.store.model.ResponseSubject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * An idempotent request as it is stored.
 *
 * @param place the hash of its place, in hexadecimal
 * @param content the hash of the rest of it
 * @param runningUntil when an announced request is lost; empty once it has a response
 * @param answer the encrypted response
 * @param answerUntil the expiry of a response that expires before the request does
 */
record KeptRequest(
    TenantId tenantId,
    UUID id,
    ApplicationId applicationId,
    String place,
    String content,
    Optional<Instant> runningUntil,
    Optional<EncryptedValue> answer,
    List<ResponseSubject> subjects,
    Optional<Instant> answerUntil,
    Instant expiresAt) {

  static KeptRequest of(IdempotentRequest request, Optional<Instant> runningUntil, Instant now) {
    return new KeptRequest(
        request.tenantId(),
        request.id(),
        request.applicationId(),
        request.places().get(0).hex(),
        request.contents().get(0).hex(),
        runningUntil,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        now.plus(request.kept()));
  }

  /** Returns when the request, or its response, expires. */
  Optional<Instant> due() {
    return answerUntil
        .filter(unused -> answer.isPresent())
        .filter(end -> end.isBefore(expiresAt))
        .or(() -> Optional.of(expiresAt));
  }

  Set<String> terms() {
    return Set.of(Kind.term(applicationId), term(applicationId, place));
  }

  /** Returns the term by which the request at a place is found. */
  static String term(ApplicationId applicationId, String place) {
    return "place " + applicationId + " " + place;
  }

  /** Returns whether a request has the content of this one. */
  boolean isEqual(IdempotentRequest request) {
    return request.contents().stream().map(TokenHash::hex).anyMatch(content::equals);
  }

  KeptRequest answered(StoredResponse response, Instant now) {
    return with(
        Optional.empty(),
        response.encrypted(),
        response.subjects(),
        response.kept().map(now::plus));
  }

  KeptRequest with(Optional<EncryptedValue> other) {
    return with(runningUntil, other, subjects, answerUntil);
  }

  KeptRequest runningUntil(Instant end) {
    return with(Optional.of(end), answer, subjects, answerUntil);
  }

  private KeptRequest with(
      Optional<Instant> newRunningUntil,
      Optional<EncryptedValue> newAnswer,
      List<ResponseSubject> newSubjects,
      Optional<Instant> newAnswerUntil) {
    return new KeptRequest(
        tenantId,
        id,
        applicationId,
        place,
        content,
        newRunningUntil,
        newAnswer,
        newSubjects,
        newAnswerUntil,
        expiresAt);
  }
}
