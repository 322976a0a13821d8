package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
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

  private final VaultFixture vault = new VaultFixture();
  private final Authenticator authenticator =
      new Authenticator(
          vault.lookup,
          new AlwaysCached(),
          vault.hasher,
          vault.stores.credentials(),
          vault.recorder,
          RateLimits.NONE);
  private final CreateTokens createTokens =
      new CreateTokens(
          vault.tokenStore, vault.contents, vault.tokenDecryptor, authenticator, vault.recorder);

  private Runnable onInvalidation = () -> {};

  private CachedCaller cached(ApiKey key) {
    return authenticator.authenticateCached(
        Optional.of(VaultFixture.text(key)), CreateTokens.CREATE, Bounds.NONE, subject -> {});
  }

  private CreatedToken create(CachedCaller caller, Draft draft) {
    return createTokens.create(caller, draft.toDraft(), new Violations());
  }

  private long count() {
    return vault.list(vault.caller(Permission.TOKEN_SEARCH)).totalItems();
  }

  @Test
  void deniedReplacementIdForTakenAliasIsRecorded() {
    CachedCaller caller =
        cached(vault.key(ApplicationType.PRIVATE, VaultFixture.createsIds("card-")));
    Draft draft = Draft.of("card-4242424242").withId("{{ data | alias_preserve_length: 5, 0 }}");
    vault.tokenStore.returnIdTaken(12);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> create(caller, draft));

    assertThat(vault.messages().get(0)).isEqualTo("Token creation denied");
    assertThat(count()).isZero();
  }

  @Test
  void callerIsNotReevaluatedAfterUnknownCreationOutcome() {
    ApiKey key = vault.key(Permission.TOKEN_CREATE);
    CachedCaller caller = cached(key);
    vault.tokenStore.failAfterCreation();

    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> create(caller, Draft.of("x")));

    vault.revokePermissions(vault.caller(key));
    assertThat(authenticator.confirm(caller)).isSameAs(caller.caller());
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void denialByCurrentPermissionsIsRecordedOnce() {
    ApiKey key = vault.key(Permission.TOKEN_CREATE);
    CachedCaller caller = cached(key);
    vault.revokePermissions(vault.caller(key));
    assertRefused(FailureCause.PERMISSION_DENIED, () -> create(caller, Draft.of("x")));
    int recorded = vault.messages().size();

    assertRefused(FailureCause.PERMISSION_DENIED, () -> authenticator.confirm(caller));

    assertThat(vault.messages()).hasSize(recorded);
  }

  @Test
  void violationResolvedByRetryIsNotReported() {
    CachedCaller caller = cached(vault.key(Permission.TOKEN_CREATE));
    vault.expressions.limit(0);
    onInvalidation = () -> vault.expressions.limit(Integer.MAX_VALUE);

    assertThat(create(caller, Draft.of("x")).isNew()).isTrue();
  }

  @Test
  void retriesOfRequestShareEvaluationLimit() {
    CachedCaller caller = cached(vault.key(Permission.TOKEN_CREATE));
    vault.expressions.limit(1);

    Draft draft = Draft.of("x").withMask("{{ data }}").withFingerprint("{{ data }}");

    assertThat(VaultFixture.errors(() -> create(caller, draft)))
        .containsOnlyKeys("mask", "fingerprint_expression");
  }

  @Test
  void violationRepeatedByRetryIsReportedOnce() {
    CachedCaller caller = cached(vault.key(Permission.TOKEN_CREATE));
    Violations schemaViolations = new Violations().add("mask", "is of another kind");

    TokenDraft draft = Draft.of("x").withFingerprint("{{ unknown }}").toDraft();

    assertThat(VaultFixture.errors(() -> createTokens.create(caller, draft, schemaViolations)))
        .containsOnlyKeys("mask", "fingerprint_expression")
        .allSatisfy((path, messages) -> assertThat(messages).hasSize(1));
  }

  /** A cache that loads each lookup and reports it as cached. */
  private final class AlwaysCached implements LookupCache {

    @Override
    public Found lookUp(LookupRequest lookup, MemoryReservation reservation) {
      return new Found(vault.stores.lookup().load(lookup, reservation), true);
    }

    @Override
    public void invalidate(LookupRequest lookup) {
      onInvalidation.run();
    }
  }
}
