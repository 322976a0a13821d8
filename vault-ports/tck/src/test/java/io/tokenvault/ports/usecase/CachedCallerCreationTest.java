package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.Vault.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.runtime.RateLimits;
import io.tokenvault.ports.store.LookupCache;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.CreatedToken;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the creation of tokens by cached callers. */
final class CachedCallerCreationTest {

  private final Vault vault = new Vault();
  private final Authenticator authenticator =
      new Authenticator(
          vault.lookup,
          new Remembering(),
          vault.hasher,
          vault.stores.credentials(),
          vault.recorder,
          RateLimits.NONE);
  private final CreateTokens creating =
      new CreateTokens(
          vault.tokenStore, vault.contents, vault.tokenDecryptor, authenticator, vault.recorder);

  private Runnable atForgetting = () -> {};

  private CachedCaller recognised(ApiKey key) {
    return authenticator.authenticateCached(
        Optional.of(Vault.text(key)), CreateTokens.CREATE, Bounds.NONE, subject -> {});
  }

  private CreatedToken create(CachedCaller caller, Draft draft) {
    return creating.create(caller, draft.toDraft(), new Violations());
  }

  private long count() {
    return vault.list(vault.caller(Permission.TOKEN_SEARCH)).totalItems();
  }

  @Test
  void deniedReplacementIdForTakenAliasIsRecorded() {
    CachedCaller caller = recognised(vault.key(ApplicationType.PRIVATE, Vault.createsIds("card-")));
    Draft draft = Draft.of("card-4242424242").withId("{{ data | alias_preserve_length: 5, 0 }}");
    vault.tokenStore.sayTaken(12);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> create(caller, draft));

    assertThat(vault.messages().get(0)).isEqualTo("Token creation denied");
    assertThat(count()).isZero();
  }

  @Test
  void callerIsNotReevaluatedAfterUnknownCreationOutcome() {
    ApiKey key = vault.key(Permission.TOKEN_CREATE);
    CachedCaller caller = recognised(key);
    vault.tokenStore.loseAnswers();

    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> create(caller, Draft.of("x")));

    vault.disarm(vault.caller(key));
    assertThat(authenticator.confirm(caller)).isSameAs(caller.caller());
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void refusalOnCurrentRightsIsRecordedOnce() {
    ApiKey key = vault.key(Permission.TOKEN_CREATE);
    CachedCaller caller = recognised(key);
    vault.disarm(vault.caller(key));
    assertRefused(FailureCause.PERMISSION_DENIED, () -> create(caller, Draft.of("x")));
    int recorded = vault.messages().size();

    assertRefused(FailureCause.PERMISSION_DENIED, () -> authenticator.confirm(caller));

    assertThat(vault.messages()).hasSize(recorded);
  }

  @Test
  void violationResolvedByRetryIsNotReported() {
    CachedCaller caller = recognised(vault.key(Permission.TOKEN_CREATE));
    vault.expressions.limit(0);
    atForgetting = () -> vault.expressions.limit(Integer.MAX_VALUE);

    assertThat(create(caller, Draft.of("x")).isNew()).isTrue();
  }

  @Test
  void retriesOfRequestShareEvaluationLimit() {
    CachedCaller caller = recognised(vault.key(Permission.TOKEN_CREATE));
    vault.expressions.limit(1);

    Draft draft = Draft.of("x").withMask("{{ data }}").withFingerprint("{{ data }}");

    assertThat(Vault.errors(() -> create(caller, draft)))
        .containsOnlyKeys("mask", "fingerprint_expression");
  }

  @Test
  void violationRepeatedByRetryIsReportedOnce() {
    CachedCaller caller = recognised(vault.key(Permission.TOKEN_CREATE));
    Violations shape = new Violations().add("mask", "is of another kind");

    TokenDraft draft = Draft.of("x").withFingerprint("{{ unknown }}").toDraft();

    assertThat(Vault.errors(() -> creating.create(caller, draft, shape)))
        .containsOnlyKeys("mask", "fingerprint_expression")
        .allSatisfy((path, messages) -> assertThat(messages).hasSize(1));
  }

  /** A cache that loads each lookup and reports it as cached. */
  private final class Remembering implements LookupCache {

    @Override
    public Recalled recall(LookupRequest lookup, MemoryReservation reservation) {
      return new Recalled(vault.stores.lookup().load(lookup, reservation), true);
    }

    @Override
    public void forget(LookupRequest lookup) {
      atForgetting.run();
    }
  }
}
