package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Caller.Bounds;
import io.tokenvault.ports.usecase.token.TokenView;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests {@link VaultTokens} and the decryption of tokens. */
final class TokensTest {

  private static final TokenQuery ALL = TokenQuery.everything();
  private static final PageRequest FIRST_PAGE = new PageRequest(1, 20);
  private static final Draft CARD =
      Draft.ofJson("card", "{\"number\":\"4242424242424242\",\"cvc\":\"123\"}");

  private final VaultFixture vault = new VaultFixture();
  private final TokenId id = vault.token("/pci/high/", "a secret");

  private Caller reader(String container, AccessTransform transform) {
    return vault.caller(container, transform, Permission.TOKEN_READ);
  }

  private Caller revealer() {
    return reader("/pci/", AccessTransform.REVEAL);
  }

  @Test
  void revealingRuleReturnsDataAndRecordsRead() {
    TokenView view = vault.tokens.read(revealer(), id);

    assertThat(view.data()).contains(SensitiveValue.ofText("\"a secret\""));
    assertThat(vault.messages().get(0)).isEqualTo("Token retrieved");
    assertThat(vault.entries().get(0).entityId()).isEqualTo(id.value());
  }

  @Test
  void dataIsNotDecryptedForRedactionOrMissingMask() {
    for (AccessTransform transform : List.of(AccessTransform.MASK, AccessTransform.REDACT)) {
      assertThat(vault.tokens.read(reader("/pci/", transform), id).data()).isEmpty();
    }
    assertThat(vault.messages()).filteredOn("Token retrieved"::equals).hasSize(2);
    assertThat(vault.cipher.decryptions()).isZero();
  }

  @Test
  void readWithoutContainerPermissionIsForbiddenAndRecorded() {
    Caller caller = reader("/other/", AccessTransform.REVEAL);

    assertNotRead(FailureCause.PERMISSION_DENIED, caller);

    assertThat(vault.messages().get(0)).isEqualTo("Token read denied");
  }

  private void assertNotRead(FailureCause cause, Caller caller) {
    vault.assertRefusedUndecrypted(cause, () -> vault.tokens.read(caller, id));
  }

  @Test
  void unknownAndForeignTokensFollowIdenticalPath() {
    Caller foreign = vault.callerOfOtherTenant(Permission.TOKEN_READ);
    vault.lookup.drain();

    assertRefused(FailureCause.NOT_FOUND, () -> vault.tokens.read(foreign, id));
    List<LookupRequest> foreignLookups = vault.lookup.drain();
    assertRefused(FailureCause.NOT_FOUND, () -> vault.tokens.read(foreign, new TokenId("unknown")));
    List<LookupRequest> unknownLookups = vault.lookup.drain();

    assertThat(foreignLookups)
        .containsExactly(LookupRequest.tokens(foreign.identity().apiKey(), Set.of(id)));
    assertThat(unknownLookups)
        .containsExactly(
            LookupRequest.tokens(foreign.identity().apiKey(), Set.of(new TokenId("unknown"))));
  }

  @Test
  void dataIsNotDecryptedUnlessAccessIsRecorded() {
    Caller caller = revealer();
    vault.recorder.fail();

    assertNotRead(FailureCause.STORE_UNAVAILABLE, caller);
    vault.assertRefusedUndecrypted(FailureCause.STORE_UNAVAILABLE, () -> vault.list(caller));
  }

  @Test
  void staleReadIsLoadedAndDecidedAgain() {
    Caller caller = revealer();
    vault.lookup.drain();
    vault.recorder.returnStale(3);

    assertThat(vault.tokens.read(caller, id).data()).isPresent();

    assertThat(vault.lookup.drain()).hasSize(4);
    assertThat(vault.cipher.decryptions()).isEqualTo(1);
  }

  @Test
  void constantlyChangingTokenIsRejectedWithoutDecryption() {
    Caller caller = revealer();
    vault.recorder.returnStale(Integer.MAX_VALUE);

    assertNotRead(FailureCause.OVERLOADED, caller);
  }

  @Test
  void permissionRevokedBetweenDecisionAndRecordIsNotUsed() {
    Caller caller = revealer();
    vault.recorder.beforeRecord(() -> vault.revokePermissions(caller));

    assertNotRead(FailureCause.PERMISSION_DENIED, caller);
  }

  @Test
  void keyRevokedBetweenDecisionAndRecordIsRejected() {
    Caller caller = revealer();
    vault.recorder.beforeRecord(() -> vault.regenerate(caller.application().id(), KeyGrace.NONE));

    assertNotRead(FailureCause.MISSING_OR_INVALID_KEY, caller);
  }

  @Test
  void tokenDeletedBetweenDecisionAndRecordIsNotFound() {
    Caller caller = revealer();
    Caller deleter = vault.caller(Permission.TOKEN_DELETE);
    vault.recorder.beforeRecord(() -> vault.tokens.delete(deleter, id));

    assertNotRead(FailureCause.NOT_FOUND, caller);
  }

  @Test
  void listReturnsAndCountsOnlyVisibleTokens() {
    vault.token("/other/", "another secret");

    Page<TokenView> page = vault.list(revealer());

    assertThat(page.totalItems()).isEqualTo(1);
    assertThat(page.items().get(0).data()).contains(SensitiveValue.ofText("\"a secret\""));
    assertThat(vault.messages().subList(0, 2)).containsExactly("Token retrieved", "Tokens listed");
    assertThat(vault.entries().get(1).entityId()).isEqualTo("*");
  }

  @Test
  void templateWithoutTokensIsReturnedWithoutEntry() {
    CachedCaller caller =
        vault.authenticator.authenticateCached(
            Optional.of(VaultFixture.text(vault.key(Permission.TOKEN_READ))),
            VaultTokens.READ,
            Bounds.NONE,
            subject -> {});
    vault.recorder.fail();

    assertThat(vault.tokens.detokenize(caller, JsonValue.of("plain"), MemoryReservation.UNBOUNDED))
        .isEqualTo(JsonValue.of("plain"));
  }

  @Test
  void deletedTokenIsNotFoundAndItsEntriesRemain() {
    vault.tokens.delete(vault.caller(Permission.TOKEN_DELETE), id);

    assertRefused(FailureCause.NOT_FOUND, () -> vault.tokens.read(revealer(), id));
    assertThat(vault.messages()).contains("Token deleted", "Token created");
  }

  @Test
  void deletionWithoutContainerPermissionIsForbidden() {
    Caller caller = vault.caller("/other/", AccessTransform.MASK, Permission.TOKEN_DELETE);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.delete(caller, id));

    assertThat(vault.messages().get(0)).isEqualTo("Token deletion denied");
    assertThat(vault.tokens.read(revealer(), id).data()).isPresent();
  }

  @Test
  void accessRevokedAfterAdmissionDeletesNothing() {
    Caller revoked = vault.caller(Permission.TOKEN_DELETE);
    Caller replaced = vault.caller(Permission.TOKEN_DELETE);
    vault.revokePermissions(revoked);
    vault.regenerate(replaced.application().id(), KeyGrace.NONE);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.delete(revoked, id));
    assertThat(vault.messages().get(0)).isEqualTo("Token deletion denied");
    assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> vault.tokens.delete(replaced, id));
    assertThat(vault.tokens.read(revealer(), id).data()).isPresent();
  }

  @Test
  void tokenMovedBeforeDeletionIsDecidedAgain() {
    Caller limited = vault.caller("/pci/", AccessTransform.MASK, Permission.TOKEN_DELETE);
    Caller mover =
        vault.caller("/", AccessTransform.REVEAL, Permission.TOKEN_UPDATE, Permission.TOKEN_READ);
    vault.tokenStore.beforeWrite(() -> vault.change(mover, id, new Patch().containers("/other/")));

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.delete(limited, id));
    assertThat(vault.tokens.read(mover, id).data()).isPresent();
  }

  @Test
  void listPageSharesEvaluationLimitOfOneRequest() {
    for (int i = 0; i < 3; i++) {
      vault.token(Draft.of("masked").withMask("{{ data | reveal_last: 1 }}"));
    }
    vault.expressions.limit(2);

    Page<TokenView> page = vault.list(vault.caller(Permission.TOKEN_READ));

    assertThat(page.items()).hasSize(4);
    assertThat(page.items().stream().flatMap(view -> view.data().stream()).map(VaultFixture::text))
        .containsExactly("\"XXXXXd\"", "\"XXXXXd\"");
  }

  @Test
  void detokenizedTokensShareEvaluationLimitOfOneRequest() {
    Draft draft = Draft.of("masked").withMask("{{ data | reveal_last: 1 }}");
    String template =
        String.format("[\"{{%s}}\",\"{{%s}}\"]", vault.token(draft).id(), vault.token(draft).id());
    Caller caller = vault.caller(Permission.TOKEN_READ);
    vault.expressions.limit(1);

    assertThat(((JsonArray) vault.detokenize(caller, template)).items())
        .containsExactlyInAnyOrder(JsonValue.of("XXXXXd"), JsonNull.NULL);
  }

  @Test
  void searchReturnsOnlyTokensCallerMaySearch() {
    vault.token("/pci/low/", "a secret");
    Caller searcher = vault.caller("/pci/low/", AccessTransform.REVEAL, Permission.TOKEN_SEARCH);

    Page<TokenView> page = vault.tokens.search(searcher, ALL, FIRST_PAGE);

    assertThat(page.totalItems()).isEqualTo(1);
    assertThat(page.items().get(0).data()).isPresent();
    assertThat(vault.messages().subList(0, 2))
        .containsExactly("Token retrieved", "Tokens searched");
    assertRefused(
        FailureCause.PERMISSION_DENIED, () -> vault.tokens.search(revealer(), ALL, FIRST_PAGE));
  }

  @Test
  void searchAppliesReadPermissionWhereItAllows() {
    vault.advanceClock(Duration.ofSeconds(1));
    vault.token(Draft.of("masked").in("/pci/low/").withMask("{{ data | reveal_last: 2 }}"));
    AccessPolicy both =
        new AccessPolicy(
            List.of(Permission.TOKEN_READ),
            VaultFixture.rule("/", AccessTransform.REVEAL, Permission.TOKEN_SEARCH).rules());

    Page<TokenView> page = vault.tokens.search(vault.caller(both), ALL, FIRST_PAGE);

    assertThat(page.items().get(0).data()).contains(SensitiveValue.ofText("\"XXXXed\""));
    assertThat(page.items().get(1).data()).isEmpty();
  }

  @Test
  void searchIndexMatchesOnlyExactValue() {
    Caller searcher = vault.caller(Permission.TOKEN_SEARCH);
    TokenId indexed =
        vault.token(Draft.of("123-45").withIndexes("{{ data }}", "{{ data | remove: '-' }}")).id();

    assertThat(foundBy(searcher, "123-45")).containsExactly(indexed);
    assertThat(foundBy(searcher, "12345")).containsExactly(indexed);
    assertThat(foundBy(searcher, "1234")).isEmpty();
  }

  private List<TokenId> foundBy(Caller searcher, String value) {
    TokenQuery query = vault.tokens.indexedAs(searcher, value);
    return vault.tokens.search(searcher, query, FIRST_PAGE).items().stream()
        .map(view -> view.token().id())
        .toList();
  }

  private String withId(String template) {
    return template.replace("ID", id.value());
  }

  @Test
  void expressionsAreReplacedByDataVisibleToCaller() {
    TokenId other =
        vault.token(Draft.ofJson("token", "{\"n\":[1,2]}").in("/pci/").withMask("a mask")).id();
    String template =
        withId("{\"x\":\"{{ ID }}\",\"y\":[\"<{{ID}}>\",1],\"z\":\"{{") + other.value() + "}}\"}";

    assertThat(vault.detokenize(revealer(), template))
        .isEqualTo(Draft.json("{\"x\":\"a secret\",\"y\":[\"<a secret>\",1],\"z\":{\"n\":[1,2]}}"));
    assertThat(vault.messages().subList(0, 3))
        .containsExactly("Token retrieved", "Token retrieved", "application made");
    assertThat(vault.detokenize(reader("/pci/", AccessTransform.MASK), template))
        .isEqualTo(Draft.json("{\"x\":null,\"y\":[\"<>\",1],\"z\":\"a mask\"}"));
    assertThat(vault.detokenize(reader("/pci/", AccessTransform.REDACT), template))
        .isEqualTo(Draft.json("{\"x\":null,\"y\":[\"<>\",1],\"z\":null}"));
  }

  @Test
  void filtersApplyToDataVisibleToCaller() {
    assertThat(vault.detokenize(revealer(), withId("\"{{ ID | reveal_last: 2 }}\"")))
        .isEqualTo(JsonValue.of("XXXXXXet"));
    assertThat(
            vault.detokenize(
                reader("/pci/", AccessTransform.MASK), withId("\"{{ ID | reveal_last: 2 }}\"")))
        .isEqualTo(JsonNull.NULL);
  }

  @Test
  void detokenizedDataIsNotScannedAgain() {
    TokenId nested = vault.token("/pci/", withId("{{ ID }}"));

    assertThat(vault.detokenize(revealer(), nested)).isEqualTo(JsonValue.of(withId("{{ ID }}")));
  }

  @Test
  void detokenizingWithoutExpressionsRecordsNothing() {
    Caller caller = revealer();
    int before = vault.messages().size();

    assertThat(vault.detokenize(caller, "[\"{{}}\",1]")).isEqualTo(Draft.json("[\"{{}}\",1]"));

    assertThat(vault.messages()).hasSize(before);
  }

  @Test
  void oneUnknownTokenRejectsWholeDetokenization() {
    vault.assertRefusedUndecrypted(
        FailureCause.UNKNOWN_TOKENS,
        () -> vault.detokenize(revealer(), withId("[\"{{ID}}\",\"{{unknown}}\",\"{{ no id }}\"]")));

    assertThat(vault.messages()).doesNotContain("Token retrieved");
  }

  @Test
  void oneUnreadableTokenRejectsWholeDetokenization() {
    TokenId other = vault.token("/other/", "x");

    vault.assertRefusedUndecrypted(
        FailureCause.TOKENS_FORBIDDEN,
        () -> vault.detokenize(revealer(), withId("[\"{{ID}}\",\"{{" + other.value() + "}}\"]")));

    assertThat(vault.messages().get(0)).isEqualTo("Token read denied");
    assertThat(vault.entries().get(0).entityId()).isEqualTo(other.value());
  }

  @Test
  void detokenizationAcceptsAtMostOneHundredTokens() {
    String most = expressions(100);
    String more = expressions(101);

    assertRefused(FailureCause.UNKNOWN_TOKENS, () -> vault.detokenize(revealer(), most));
    assertRefused(FailureCause.TOO_MANY_TOKENS, () -> vault.detokenize(revealer(), more));
  }

  private static String expressions(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"{{token-" + i + "}}\"")
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void tokensOfShreddedTenantAreNotShown() {
    vault.shred();
    Caller caller = revealer();

    assertRefused(FailureCause.TENANT_SHREDDED, () -> vault.tokens.read(caller, id));
    assertRefused(FailureCause.TENANT_SHREDDED, () -> vault.list(caller));
    assertRefused(FailureCause.TENANT_SHREDDED, () -> vault.detokenize(caller, id));
  }

  @Test
  void egressPolicyDoesNotAffectReads() {
    Caller caller = revealer();
    vault.bind("/pci/", "api.bank.example");
    vault.changeEgress(egress -> egress.withUrlHeader(false).withUnboundByUrl(false));

    assertThat(vault.tokens.read(caller, id).data()).isPresent();
    assertThat(vault.detokenize(caller, id)).isEqualTo(JsonValue.of("a secret"));
    assertThat(vault.list(caller).items().get(0).data()).isPresent();

    vault.lookup.drain();
    vault.recorder.beforeRecord(() -> vault.changeEgress(egress -> egress.withUrlHeader(true)));
    assertThat(vault.tokens.read(caller, id).data()).isPresent();
    assertThat(vault.lookup.drain()).hasSize(1);
  }

  @Test
  void keysDestroyedBetweenDecisionAndRecordDecryptNothing() {
    Caller caller = revealer();
    vault.recorder.beforeRecord(vault::shred);

    assertNotRead(FailureCause.TENANT_SHREDDED, caller);
  }

  @Test
  void verificationCodeExpiresBeforeItsCard() {
    TokenId card = vault.token(CARD).id();
    assertThat(revealed(card)).contains("\"cvc\":\"123\"");

    vault.advanceClock(VaultFixture.CVC_LIFETIME);

    assertThat(revealed(card)).isEqualTo("{\"number\":\"4242424242424242\"}");
    assertThat(vault.sweep.run()).isEqualTo(1);
    assertThat(revealed(card)).isEqualTo("{\"number\":\"4242424242424242\"}");
  }

  private String revealed(TokenId token) {
    return VaultFixture.data(vault.tokens.read(revealer(), token));
  }
}
