package io.tokenvault.ports.usecase.idempotency;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.model.ResponseSubject;
import io.tokenvault.ports.store.model.ResponseSubject.Kind;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.idempotency.IdempotentInvocations.Intent;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests.Outcome;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests {@link IdempotentRequests} and {@link IdempotentInvocations}. */
final class IdempotentRequestsTest {

  private static final Duration DAY = Duration.ofHours(24);
  private static final Draft CARD =
      Draft.ofJson("card", "{\"number\":\"4242424242424242\",\"cvc\":\"123\"}");
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private final VaultFixture vault = new VaultFixture();
  private final IdempotentInvocations invocations =
      new IdempotentInvocations(
          vault.stores.requestJournal(), vault.tokenHasher, vault.responseCipher, true);
  private final ApiKey apiKey =
      vault.key("/", AccessTransform.REVEAL, Permission.TOKEN_CREATE, Permission.TOKEN_USE);
  private final AtomicInteger executions = new AtomicInteger();

  private static SentRequest sent(String key) {
    return new SentRequest(
        IdempotencyKey.read("the header", List.of(key)).orElseThrow(),
        "POST",
        "/tokens",
        List.of(""),
        new byte[0]);
  }

  private Outcome once(Caller caller, String key, Supplier<RecordedResponse> work) {
    return vault.idempotentRequests.once(
        caller, CreateTokens.CREATE, sent(key), MemoryReservation.UNBOUNDED, work);
  }

  private Outcome create(Draft draft, String key) {
    Caller caller = vault.caller(apiKey);
    return once(
        caller,
        key,
        () -> {
          executions.incrementAndGet();
          CreatedToken created = vault.create(caller, draft);
          return new RecordedResponse(
              201,
              List.of(new HeaderField("Location", "/tokens/x")),
              created.view().data(),
              true,
              created.view().token().type() == TokenType.CARD,
              List.of(
                  new ResponseSubject(
                      Kind.TOKEN_CREATED,
                      created.view().shown(),
                      created.view().token().id().value())));
        });
  }

  @Test
  void retryReturnsRecordedResponseForOneDayThenExecutesAgain() {
    Outcome first = create(Draft.of("data"), "k");
    vault.advanceClock(DAY.minus(MILLISECOND));

    Outcome repeat = create(Draft.of("data"), "k");

    assertThat(repeat.isReplay()).isTrue();
    assertThat(repeat.response()).isEqualTo(first.response());
    assertThat(repeat.response().body().map(VaultFixture::text)).contains("\"data\"");
    assertThat(executions).hasValue(1);

    vault.advanceClock(MILLISECOND);

    assertThat(create(Draft.of("data"), "k").isReplay()).isFalse();
    assertThat(executions).hasValue(2);
  }

  @Test
  void revealingResponseExpiresWithItsDataAndIsNotReexecuted() {
    create(CARD, "k");

    vault.advanceClock(VaultFixture.CVC_LIFETIME);

    assertRefused(FailureCause.ALREADY_DONE, () -> create(CARD, "k"));
    assertThat(vault.sweep.run()).as("verification code and response").isEqualTo(2);
    assertThat(vault.stores.encryptedFields().countByVersion(vault.tenantId()))
        .as("fields of the token only")
        .isEqualTo(Map.of(1, 1L));
    assertThat(executions).hasValue(1);
    vault.advanceClock(DAY);
    assertThat(vault.sweep.run()).isEqualTo(1);
  }

  @Test
  void deniedRetryIsRecorded() {
    create(Draft.of("data"), "k");
    Caller before = vault.caller(apiKey);
    vault.revokePermissions(before);

    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () ->
            once(
                before,
                "k",
                () -> {
                  throw new AssertionError("executed again");
                }));

    assertThat(vault.messages().get(0)).isEqualTo("Denied: missing permission token:create");
  }

  @Test
  void shreddedTenantIsRejected() {
    create(Draft.of("data"), "k");
    vault.shred();

    assertRefused(FailureCause.TENANT_SHREDDED, () -> create(Draft.of("data"), "k"));
  }

  @Test
  void boundariesOfRequestPartsAreSignificant() {
    SentRequest one = request("ab", "c", List.of("d", "e"));
    SentRequest other = request("a", "bc", List.of("de", ""));

    assertThat(one.place("x")).isNotEqualTo(other.place("x"));
    assertThat(one.content()).isNotEqualTo(other.content());
    assertThat(one.toString()).isEqualTo("SentRequest[ab]");
  }

  private static SentRequest request(String method, String path, List<String> rest) {
    IdempotencyKey key = IdempotencyKey.read("the header", List.of("k")).orElseThrow();
    return new SentRequest(key, method, path, rest, new byte[0]);
  }

  @Test
  void keysAreVisibleCharactersAndAbsentFromErrors() {
    for (String wrong : List.of("", " ", "a b", "tab\t", "\u00e4", "x".repeat(256))) {
      assertThatThrownBy(() -> IdempotencyKey.read("the header", List.of(wrong)))
          .hasMessageNotContaining("a b");
    }
    assertThatThrownBy(() -> IdempotencyKey.read("the header", List.of("a", "a")))
        .isInstanceOf(ValidationException.class);
    assertThat(IdempotencyKey.read("the header", List.of())).isEmpty();
    assertThat(IdempotencyKey.read("the header", List.of("!~")).orElseThrow().text())
        .isEqualTo("!~");
    assertThat(IdempotencyKey.read("the header", List.of("secret")).toString())
        .doesNotContain("secret");
  }

  private Intent announce(String key) {
    return invocations.announce(vault.admit(apiKey), sent(key), MemoryReservation.UNBOUNDED);
  }

  @Test
  void invocationWithUnknownOutcomeIsNotSentAgain() {
    assertThat(announce("k").earlier()).isEmpty();
    vault.advanceClock(IdempotentInvocations.RUNNING_LIMIT.minus(MILLISECOND));
    assertRefused(FailureCause.REQUEST_RUNNING, () -> announce("k"));

    vault.advanceClock(MILLISECOND);

    assertRefused(FailureCause.OUTCOME_UNKNOWN, () -> announce("k"));
  }

  @Test
  void invocationShownAsRunningHasNoTimeLimit() {
    Intent intent = announce("k");
    for (int i = 0; i < 100; i++) {
      vault.advanceClock(IdempotentInvocations.PROLONG_PERIOD);
      invocations.prolongRunning();
    }
    assertRefused(FailureCause.REQUEST_RUNNING, () -> announce("k"));

    intent.complete(response());

    assertThat(announce("k").earlier()).contains(response());
    vault.advanceClock(IdempotentInvocations.RUNNING_LIMIT);
    invocations.prolongRunning();
    assertThat(announce("k").earlier()).contains(response());
  }

  private static RecordedResponse response() {
    return new RecordedResponse(
        200,
        List.of(new HeaderField("X-One", "\u00e4")),
        Optional.of(SensitiveValue.of(new byte[] {0, -1})),
        true,
        false,
        List.of());
  }

  @Test
  void unrecordableEndLeavesOutcomeUnknown() {
    Intent intent = announce("k");
    vault.fixture.breakConnection();
    intent.complete(response());
    vault.fixture.close();
    vault.advanceClock(IdempotentInvocations.RUNNING_LIMIT);
    invocations.prolongRunning();

    assertRefused(FailureCause.OUTCOME_UNKNOWN, () -> announce("k"));
  }

  @Test
  void withdrawnIntentIsAnnouncedAgainAndAbandonedOneIsNot() {
    announce("withdrawn").withdraw();
    announce("abandoned").abandon();

    assertThat(announce("withdrawn").earlier()).isEmpty();
    assertRefused(FailureCause.OUTCOME_UNKNOWN, () -> announce("abandoned"));
  }

  @Test
  void failedWorkIsNotRecorded() {
    assertThatThrownBy(
            () ->
                once(
                    vault.caller(apiKey),
                    "k",
                    () -> {
                      throw RefusedException.notFound();
                    }))
        .isInstanceOf(RefusedException.class);

    assertThat(create(Draft.of("data"), "k").isReplay()).isFalse();
  }
}
