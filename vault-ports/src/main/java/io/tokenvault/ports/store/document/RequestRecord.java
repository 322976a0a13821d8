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
 * An idempotent request as it is stored, under the names of its components.
 *
 * @param place the hash of its place, in hexadecimal
 * @param content the hash of the rest of it
 * @param runningUntil when an announced request is lost; empty once it has a response
 * @param answer the encrypted response
 * @param answerUntil the expiry of a response that expires before the request does
 */
record RequestRecord(
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

  static RequestRecord of(IdempotentRequest request, Optional<Instant> runningUntil, Instant now) {
    return new RequestRecord(
        request.tenantId(),
        request.id(),
        request.applicationId(),
        request.places().get(0).hex(),
        request.contents().get(0).hex(),
        runningUntil,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        now.plus(request.retention()));
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

  RequestRecord completed(StoredResponse response, Instant now) {
    return with(
        Optional.empty(),
        response.encrypted(),
        response.subjects(),
        response.retention().map(now::plus));
  }

  RequestRecord with(Optional<EncryptedValue> other) {
    return with(runningUntil, other, subjects, answerUntil);
  }

  RequestRecord runningUntil(Instant end) {
    return with(Optional.of(end), answer, subjects, answerUntil);
  }

  private RequestRecord with(
      Optional<Instant> newRunningUntil,
      Optional<EncryptedValue> newResponse,
      List<ResponseSubject> newSubjects,
      Optional<Instant> newResponseUntil) {
    return new RequestRecord(
        tenantId,
        id,
        applicationId,
        place,
        content,
        newRunningUntil,
        newResponse,
        newSubjects,
        newResponseUntil,
        expiresAt);
  }
}
