package io.tokenvault.ports.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.model.NewToken;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an invocation asks of the store for its tokens, shown by a store that keeps note. */
class TokensOfOneRequestTest {

  private static final Destination DESTINATION =
      new Destination("api.example.com", 443, "", Optional.empty());

  private final Vault vault = new Vault();
  private final ApiKey user = vault.key(Permission.TOKEN_USE);
  private final List<KeyHash> hashes = vault.hasher.hashes(user);
  private final TokenId known = vault.token("/a/", "known");

  private Admission admit() {
    return vault.invocations.admit(Optional.of(Vault.text(user)), Optional.empty());
  }

  /** What was looked up, from the admission on. */
  private List<LookupRequest> use(Set<String> ids) {
    vault.lookup.taken();
    vault.invocations.begin(admit(), DESTINATION, ids);
    return vault.lookup.taken();
  }

  private TokenId ofAnotherTenant() {
    AccessPolicy creates = Vault.rule("/", AccessTransform.REVEAL, Permission.TOKEN_CREATE);
    ApiKey creator = vault.key(vault.otherTenant().tenantId(), creates);
    return vault
        .creating
        .create(vault.caller(creator), Draft.of("foreign").in("/a/").toDraft(), new Violations())
        .view()
        .token()
        .id();
  }

  private TokenId expired() {
    NewToken mortal =
        Samples.expiringToken(vault.tenantId(), "mortal", Vault.START.plusSeconds(60));
    vault.stores.tokens().create(List.of(mortal), Samples::expiry);
    vault.pass(Duration.ofMinutes(1));
    return mortal.id();
  }

  @Test
  void foreignUnknownAndExpiredTokensFollowIdenticalQueryAndPath() {
    for (TokenId id : List.of(ofAnotherTenant(), new TokenId("nowhere"), expired())) {
      int opened = vault.cipher.opened();
      List<String> log = vault.messages();
      vault.lookup.taken();
      Admission admission = admit();

      RefusedException refused =
          catchThrowableOfType(
              RefusedException.class,
              () ->
                  vault.invocations.begin(
                      admission, DESTINATION, Set.of(known.value(), id.value())));

      assertThat(refused.failure()).isEqualTo(FailureCause.UNKNOWN_TOKENS);
      assertThat(refused).hasMessage("These tokens do not exist: " + id.value());
      assertThat(vault.lookup.taken())
          .containsExactly(
              LookupRequest.caller(hashes), LookupRequest.tokens(hashes, Set.of(known, id)));
      assertThat(vault.cipher.opened()).isEqualTo(opened);
      assertThat(vault.messages()).isEqualTo(log);
    }
  }

  @Test
  void invalidTokenIdIsReportedAsUnknown() {
    vault.lookup.taken();
    Admission admission = admit();

    RefusedException refused =
        catchThrowableOfType(
            RefusedException.class,
            () -> vault.invocations.begin(admission, DESTINATION, Set.of("no/id", known.value())));

    assertThat(refused.failure()).isEqualTo(FailureCause.UNKNOWN_TOKENS);
    assertThat(vault.lookup.taken())
        .containsExactly(LookupRequest.caller(hashes), LookupRequest.tokens(hashes, Set.of(known)));
  }

  @Test
  void allTokensOfRequestAreFetchedInOneRoundTrip() {
    Set<TokenId> many =
        IntStream.range(0, ProxyInvocations.MAX_TOKENS)
            .mapToObj(i -> vault.token("/a" + i + "/", "data " + i))
            .collect(Collectors.toSet());
    Set<String> ids = many.stream().map(TokenId::value).collect(Collectors.toSet());

    assertThat(use(ids))
        .containsExactly(LookupRequest.caller(hashes), LookupRequest.tokens(hashes, many));
    assertThat(vault.cipher.opened()).isEqualTo(many.size());
  }

  @Test
  void requestWithoutTokensLooksUpNone() {
    assertThat(use(Set.of())).containsExactly(LookupRequest.caller(hashes));
  }

  @Test
  void tokensAreLookedForNoSoonerThanTheCallerIsAdmitted() {
    ApiKey useless = vault.key(Permission.TOKEN_READ);
    vault.lookup.taken();

    for (ApiKey key : List.of(useless, ApiKey.generate(vault.randomness))) {
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(
              () -> vault.invocations.admit(Optional.of(Vault.text(key)), Optional.empty()));
    }

    assertThat(vault.lookup.taken().stream().map(LookupRequest::tokens))
        .containsExactly(Set.of(), Set.of());
  }
}
