package io.tokenvault.ports.usecase.proxy;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.ProxyFixture;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the admission, the lookups and the tokens of {@link ProxyInvocations}. */
final class ProxyInvocationsTest {

  private static final Destination DESTINATION = ProxyFixture.destination("api.example.com");
  private static final Optional<String> NO_KEY = Optional.empty();
  private static final Optional<String> UNKNOWN_PROXY = Optional.of("0".repeat(32));

  private final VaultFixture vault = new VaultFixture();
  private final ApiKey user = vault.key(Permission.TOKEN_USE);
  private final List<KeyHash> hashes = vault.hasher.hashes(user);

  private static Optional<String> sent(ApiKey key) {
    return Optional.of(VaultFixture.text(key));
  }

  private ProxyView proxy(boolean requireAuth) {
    return proxy(vault.manager(), requireAuth);
  }

  private ProxyView proxy(Caller manager, boolean requireAuth) {
    return vault.proxies.create(
        manager,
        new ProxyDraft(
            "p",
            "https://api.example.com",
            null,
            Map.of("a", "b"),
            requireAuth,
            null,
            null,
            Map.of()),
        new Violations());
  }

  private static Optional<String> keyOf(ProxyView proxy) {
    return Optional.of(VaultFixture.text(proxy.key().value()));
  }

  private Admission admit(Optional<String> apiKey, Optional<String> proxyKey) {
    return vault.invocations.admit(apiKey, proxyKey);
  }

  private ApiKey withoutUse() {
    return vault.key(Permission.TOKEN_READ);
  }

  @Test
  void invalidKeyIsRejectedBeforeAnythingElse() {
    assertRefused(
        FailureCause.MISSING_OR_INVALID_KEY, () -> admit(Optional.of("bad"), UNKNOWN_PROXY));
    assertRefused(
        FailureCause.MISSING_OR_INVALID_KEY, () -> admit(Optional.of("bad"), keyOf(proxy(false))));
  }

  @Test
  void unknownProxyIsRejectedBeforeMissingKeyOrPermission() {
    assertRefused(FailureCause.UNKNOWN_PROXY, () -> admit(NO_KEY, UNKNOWN_PROXY));
    assertRefused(FailureCause.UNKNOWN_PROXY, () -> admit(sent(withoutUse()), UNKNOWN_PROXY));
    assertRefused(
        FailureCause.UNKNOWN_PROXY, () -> admit(sent(user), Optional.of("not a proxy key")));
  }

  @Test
  void missingKeyIsRejectedWhereRequired() {
    assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> admit(NO_KEY, NO_KEY));
    assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> admit(NO_KEY, keyOf(proxy(true))));
  }

  @Test
  void callerWithoutTokenUseIsForbiddenAndRecorded() {
    ProxyView proxy = proxy(true);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> admit(sent(withoutUse()), keyOf(proxy)));

    AuditEntry entry = vault.entries().get(0);
    assertThat(entry.message()).isEqualTo("Proxy invocation denied");
    assertThat(entry.entityType()).isEqualTo(EntityType.PROXY);
    assertThat(entry.entityId()).isEqualTo(proxy.proxy().id().toString());
  }

  @Test
  void foreignAndUnknownProxiesFollowIdenticalPath() {
    ProxyView foreign = proxy(vault.caller(vault.otherTenant().key()), false);
    vault.lookup.drain();

    for (Optional<String> proxyKey : List.of(keyOf(foreign), UNKNOWN_PROXY)) {
      assertRefused(FailureCause.UNKNOWN_PROXY, () -> admit(sent(user), proxyKey));
      assertThat(vault.lookup.drain()).hasSize(1).first().extracting("proxyKey").isNotNull();
    }
  }

  @Test
  void openProxyAdmitsAnonymousCallersWithoutTokens() {
    ProxyView proxy = proxy(false);

    Admission admission = admit(NO_KEY, keyOf(proxy));
    begin(admission);

    assertThat(admission.mayUseTokens()).isFalse();
    assertThat(vault.messages().get(0)).isEqualTo("Proxy invoked");
    assertThat(vault.entries().get(0).actor().id()).isEmpty();
  }

  @Test
  void tokensAreDecryptedAfterTheirUseIsRecorded() {
    TokenId one = vault.token("/a/", "one");
    TokenId two = vault.token("/b/", "two");

    Map<String, SensitiveValue> decryptions = begin(user, one, two);

    assertThat(decryptions)
        .containsOnly(
            Map.entry(one.value(), SensitiveValue.ofText("\"one\"")),
            Map.entry(two.value(), SensitiveValue.ofText("\"two\"")));
    assertThat(vault.messages().subList(0, 3))
        .containsExactly("Token used", "Token used", "Proxy invoked");
    assertThat(vault.entries().get(2).entityId()).isEqualTo("api.example.com");
  }

  private Map<String, SensitiveValue> begin(ApiKey key, TokenId... ids) {
    return begin(vault.admit(key), ids);
  }

  private Map<String, SensitiveValue> begin(Admission admission, TokenId... ids) {
    return vault.begin(admission, DESTINATION, ids);
  }

  @Test
  void maskingRuleStillSendsRawDataToDestination() {
    ApiKey masked = vault.key("/a/", AccessTransform.MASK, Permission.TOKEN_USE);
    TokenId id = vault.token("/a/", "raw");

    assertThat(begin(masked, id)).containsValue(SensitiveValue.ofText("\"raw\""));
  }

  @Test
  void unknownTokensAreNamedInOrder() {
    TokenId known = vault.token("/a/", "x");

    assertThatThrownBy(() -> begin(user, known, new TokenId("zzz"), new TokenId("aaa")))
        .hasMessage("These tokens do not exist: aaa, zzz");
  }

  @Test
  void oneForbiddenTokenRejectsAllAndIsRecorded() {
    ApiKey limited = vault.key("/a/", AccessTransform.REVEAL, Permission.TOKEN_USE);
    TokenId allowed = vault.token("/a/", "x");
    TokenId forbidden = vault.token("/b/", "y");

    vault.assertRefusedUndecrypted(
        FailureCause.TOKENS_FORBIDDEN, () -> begin(limited, allowed, forbidden));

    assertThat(vault.messages().subList(0, 2))
        .containsExactly("Token use denied", "Proxy invocation denied");
    assertThat(vault.entries().get(0).entityId()).isEqualTo(forbidden.value());
  }

  @Test
  void foreignUnknownAndExpiredTokensFollowIdenticalQueryAndPath() {
    TokenId known = vault.token("/a/", "known");
    for (TokenId id : List.of(foreignToken(), new TokenId("nowhere"), expiredToken())) {
      int decryptions = vault.cipher.decryptions();
      List<String> log = vault.messages();
      vault.lookup.drain();

      assertThatThrownBy(() -> begin(user, known, id))
          .isInstanceOfSatisfying(
              RefusedException.class,
              refused -> assertThat(refused.failure()).isEqualTo(FailureCause.UNKNOWN_TOKENS))
          .hasMessage("These tokens do not exist: " + id.value());

      assertThat(vault.lookup.drain())
          .containsExactly(
              LookupRequest.caller(hashes), LookupRequest.tokens(hashes, Set.of(known, id)));
      assertThat(vault.cipher.decryptions()).isEqualTo(decryptions);
      assertThat(vault.messages()).isEqualTo(log);
    }
  }

  private TokenId foreignToken() {
    Caller creator = vault.callerOfOtherTenant(Permission.TOKEN_CREATE);
    return vault.create(creator, Draft.of("foreign").in("/a/")).view().token().id();
  }

  private TokenId expiredToken() {
    NewToken expiring =
        Samples.expiringToken(vault.tenantId(), "expiring", VaultFixture.START.plusSeconds(60));
    vault.stores.tokens().create(List.of(expiring), Samples::expiry);
    vault.advanceClock(Duration.ofMinutes(1));
    return expiring.id();
  }

  @Test
  void invalidTokenIdIsReportedAsUnknown() {
    TokenId known = vault.token("/a/", "known");
    Admission admission = vault.admit(user);
    vault.lookup.drain();

    assertRefused(
        FailureCause.UNKNOWN_TOKENS,
        () ->
            vault.invocations.begin(
                admission,
                DESTINATION,
                Set.of("no/id", known.value()),
                MemoryReservation.UNBOUNDED));

    assertThat(vault.lookup.drain()).containsExactly(LookupRequest.tokens(hashes, Set.of(known)));
  }

  @Test
  void allTokensOfRequestAreFetchedInOneRoundTrip() {
    TokenId[] most =
        IntStream.range(0, ProxyInvocations.MAX_TOKENS)
            .mapToObj(i -> vault.token("/a" + i + "/", "data " + i))
            .toArray(TokenId[]::new);
    vault.lookup.drain();

    assertThat(begin(user, most)).hasSize(100);

    assertThat(vault.lookup.drain())
        .containsExactly(LookupRequest.caller(hashes), LookupRequest.tokens(hashes, Set.of(most)));
    assertThat(vault.cipher.decryptions()).isEqualTo(100);
  }

  @Test
  void invocationAcceptsAtMostOneHundredTokens() {
    TokenId[] more =
        IntStream.rangeClosed(0, ProxyInvocations.MAX_TOKENS)
            .mapToObj(i -> vault.token("/a/", "x"))
            .toArray(TokenId[]::new);

    assertRefused(FailureCause.TOO_MANY_TOKENS, () -> begin(user, more));
  }

  @Test
  void requestWithoutTokensLooksUpNone() {
    vault.lookup.drain();
    begin(user);

    assertThat(vault.lookup.drain()).containsExactly(LookupRequest.caller(hashes));
  }

  @Test
  void tokensAreNotLookedUpBeforeCallerIsAdmitted() {
    ApiKey withoutUse = withoutUse();
    vault.lookup.drain();

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.admit(withoutUse));
    assertRefused(
        FailureCause.MISSING_OR_INVALID_KEY, () -> vault.admit(ApiKey.generate(vault.randomness)));

    assertThat(vault.lookup.drain().stream().map(LookupRequest::tokens))
        .containsExactly(Set.of(), Set.of());
  }

  @Test
  void dataIsNotDecryptedUnlessAccessIsRecorded() {
    TokenId id = vault.token("/a/", "x");
    Admission admission = vault.admit(user);
    vault.recorder.fail();

    vault.assertRefusedUndecrypted(FailureCause.STORE_UNAVAILABLE, () -> begin(admission, id));
    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> begin(admission));
  }

  @Test
  void staleTokensAreLoadedAndDecidedAgain() {
    TokenId id = vault.token("/a/", "x");
    Admission admission = vault.admit(user);
    vault.lookup.drain();
    vault.recorder.returnStale(2);

    assertThat(begin(admission, id)).hasSize(1);

    assertThat(vault.lookup.drain()).hasSize(3);
    assertThat(vault.cipher.decryptions()).isEqualTo(1);
  }

  @Test
  void proxyChangedAfterAdmissionIsNotInvoked() {
    ProxyView proxy = proxy(true);
    TokenId id = vault.token("/a/", "x");
    Admission admission = admit(sent(user), keyOf(proxy));
    vault.proxies.delete(vault.manager(), proxy.proxy().id(), ExpectedVersion.ANY);

    vault.assertRefusedUndecrypted(FailureCause.OVERLOADED, () -> begin(admission, id));
    assertRefused(FailureCause.OVERLOADED, () -> begin(admission));
  }

  @Test
  void endIsRecordedWithItsOutcome() {
    Admission admission = vault.admit(user);

    vault.invocations.end(admission, DESTINATION, "status 200");

    assertThat(vault.messages().get(0)).isEqualTo("Proxy invocation ended: status 200");
  }
}
