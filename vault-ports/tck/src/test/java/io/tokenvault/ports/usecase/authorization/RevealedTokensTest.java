package io.tokenvault.ports.usecase.authorization;

import static io.tokenvault.ports.usecase.ProxyFixture.BANK;
import static io.tokenvault.ports.usecase.ProxyFixture.ELSEWHERE;
import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.Patch;
import io.tokenvault.ports.usecase.ProxyFixture;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.token.CreatedToken;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the access of transforms to tokens in bound containers. */
final class RevealedTokensTest {

  private static final SensitiveValue CARD = SensitiveValue.ofText("\"a card\"");

  private final VaultFixture vault = new VaultFixture();
  private final TokenId card =
      vault.token(Draft.of("a card").in("/pci/high/").withMask("{{ data | reveal_last: 1 }}")).id();
  private final TokenId other = vault.token("/general/", "another");
  private final Caller application = application(AccessTransform.REVEAL);
  private final ProxyFixture proxy = new ProxyFixture(vault, application);

  private Caller application(AccessTransform transform) {
    return vault.caller(
        "/",
        transform,
        Permission.TOKEN_READ,
        Permission.TOKEN_SEARCH,
        Permission.TOKEN_CREATE,
        Permission.TOKEN_UPDATE);
  }

  private void bindPci() {
    vault.bind("/pci/", BANK.host());
  }

  private Caller acting(Destination destination) {
    return acting(proxy.admit(), destination);
  }

  private Caller acting(Admission admission, Destination destination) {
    return vault.invocations.acting(admission, destination).orElseThrow();
  }

  /** Asserts that a read is denied and recorded for the application. */
  private void assertDenied(ThrowingCallable call) {
    List<String> before = vault.messages();

    assertRefused(FailureCause.TOKENS_BOUND, call);

    AuditEntry denied = vault.entries().get(0);
    assertThat(denied.message()).isEqualTo("Token read denied");
    assertThat(denied.operation()).isEqualTo(Operation.READ);
    assertThat(denied.entityId()).isEqualTo(card.value());
    assertThat(denied.actor()).isEqualTo(application.actor());
    assertThat(vault.messages()).hasSize(before.size() + 1);
  }

  private void assertDeniedUndecrypted(ThrowingCallable call) {
    int decryptions = vault.cipher.decryptions();
    assertDenied(call);
    assertThat(vault.cipher.decryptions()).isEqualTo(decryptions);
  }

  @Test
  void boundTokenIsNotRevealedForInvocationOfOtherDestination() {
    bindPci();
    Caller acting = acting(ELSEWHERE);

    assertDeniedUndecrypted(() -> vault.tokens.read(acting, card));
    assertDeniedUndecrypted(() -> vault.list(acting));
    assertDeniedUndecrypted(
        () -> vault.tokens.search(acting, TokenQuery.everything(), new PageRequest(1, 20)));
    assertDeniedUndecrypted(() -> vault.detokenize(acting, card));
    assertDenied(() -> vault.change(acting, card, new Patch().metadata("a", "b")));
    assertThat(vault.tokens.read(acting, other).data()).isPresent();
  }

  @Test
  void boundTokenIsRevealedForInvocationOfItsDestination() {
    bindPci();
    Caller acting = acting(BANK);

    assertThat(vault.tokens.read(acting, card).data()).contains(CARD);
    assertThat(vault.list(acting).items()).hasSize(2);
    assertThat(vault.detokenize(acting, card)).isEqualTo(JsonValue.of("a card"));
    assertThat(vault.change(acting(BANK), card, new Patch().metadata("a", "b")).data())
        .contains(CARD);
  }

  @Test
  void callerWithKeyIsBoundToNoDestination() {
    bindPci();

    assertThat(vault.tokens.read(application, card).data()).contains(CARD);
    assertThat(vault.list(application).items()).hasSize(2);
  }

  @Test
  void masksOfBoundTokensMayBeSentAnywhere() {
    bindPci();
    Caller masked = application(AccessTransform.MASK);
    Admission admission = new ProxyFixture(vault, masked).admit();
    Caller acting = acting(admission, ELSEWHERE);

    assertThat(vault.tokens.read(acting, card).data())
        .contains(SensitiveValue.ofText("\"XXXXXd\""));
    assertThat(vault.list(acting).items()).hasSize(2);
    assertThat(vault.detokenize(acting, card)).isEqualTo(JsonValue.of("XXXXXd"));

    vault.invocations.beginFetch(admission, ELSEWHERE, ELSEWHERE);
  }

  @Test
  void bindingAddedBetweenDecisionAndRecordApplies() {
    for (ThrowingCallable read :
        List.<ThrowingCallable>of(
            () -> vault.tokens.read(acting(ELSEWHERE), card),
            () -> vault.list(acting(ELSEWHERE)),
            () -> vault.detokenize(acting(ELSEWHERE), card))) {
      vault.changeEgress(egress -> TenantEgress.initial());
      vault.recorder.beforeRecord(this::bindPci);

      vault.assertRefusedUndecrypted(FailureCause.TOKENS_BOUND, read);
    }
    assertThat(vault.messages()).doesNotContain("Token retrieved");
  }

  @Test
  void unrecordableDenialReturnsStoreUnavailable() {
    bindPci();
    Admission admission = proxy.admit();
    Caller acting = acting(admission, BANK);
    Caller elsewhere = acting(admission, ELSEWHERE);
    vault.tokens.read(acting, card);
    vault.recorder.fail();

    vault.assertRefusedUndecrypted(
        FailureCause.STORE_UNAVAILABLE, () -> vault.tokens.read(elsewhere, card));
    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> fetch(admission, ELSEWHERE));
    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> fetch(admission, BANK));
  }

  @Test
  void boundTokenCannotBeChangedToExposeItsData() {
    bindPci();
    Caller acting = acting(ELSEWHERE);
    Caller maskedUpdater = maskedUpdater();

    for (Caller caller : List.of(acting, maskedUpdater)) {
      for (Patch patch :
          List.of(
              new Patch().containers("/general/"),
              new Patch().mask("\"{{ data }}\""),
              new Patch().indexes("{{ data }}"),
              new Patch().fingerprint("{{ data }}"))) {
        assertRefused(FailureCause.TOKENS_BOUND, () -> vault.change(caller, card, patch));
        assertThat(vault.messages().get(0)).isEqualTo("Token read denied");
      }
    }
    assertThat(vault.change(maskedUpdater, card, new Patch().metadata("a", "b")).data())
        .contains(SensitiveValue.ofText("\"XXXXXd\""));
  }

  /** Returns an acting caller that may read data, but to whom changes are shown masked. */
  private Caller maskedUpdater() {
    Caller caller =
        vault.caller(
            new AccessPolicy(
                List.of(Permission.TOKEN_UPDATE),
                VaultFixture.rule("/", AccessTransform.REVEAL, Permission.TOKEN_READ).rules()));
    return acting(new ProxyFixture(vault, caller).admit(), ELSEWHERE);
  }

  @Test
  void boundTokenFoundByDeduplicationIsNotRevealed() {
    vault.token(
        Draft.of("4242").in("/pci/").withFingerprint("{{ metadata.n }}").withMetadata("n", "7"));
    Draft guess =
        Draft.of("unknown")
            .withFingerprint("{{ metadata.n }}")
            .withMetadata("n", "7")
            .deduplicated();
    bindPci();
    Admission free = proxy.admit();

    CreatedToken elsewhere = vault.create(acting(ELSEWHERE), guess);
    CreatedToken toBank = vault.create(acting(free, BANK), guess);

    assertThat(elsewhere.isNew()).isFalse();
    assertThat(elsewhere.view().data()).isEmpty();
    assertThat(toBank.view().data()).contains(SensitiveValue.ofText("\"4242\""));
    assertFetchDenied(free, ELSEWHERE);
  }

  private void fetch(Admission admission, Destination target) {
    vault.invocations.beginFetch(admission, BANK, target);
  }

  private void assertFetchDenied(Admission admission, Destination target) {
    assertRefused(FailureCause.TOKENS_BOUND, () -> fetch(admission, target));

    AuditEntry denied = vault.entries().get(0);
    assertThat(denied.message())
        .matches(
            "Transform fetch denied after use of bound tokens, from the host with the hash"
                + " [0-9a-f]{64}");
    assertThat(denied.entityId()).isEqualTo(admission.proxy().orElseThrow().id().toString());
    assertThat(denied.operation()).isEqualTo(Operation.INVOKE);
    assertThat(vault.messages()).doesNotContain("Transform fetches from " + target.host());
  }

  @Test
  void fetchIsRecordedForApplicationBeforeItIsSent() {
    fetch(proxy.admit(), ELSEWHERE);

    AuditEntry entry = vault.entries().get(0);
    assertThat(entry.message()).isEqualTo("Transform fetches from echo.example.net");
    assertThat(entry.entityId()).isEqualTo(proxy.id().toString());
    assertThat(entry.actor()).isEqualTo(application.actor());
    assertThat(entry.operation()).isEqualTo(Operation.INVOKE);
  }

  @Test
  void fetchWithoutApplicationIsRecordedForUser() {
    ProxyFixture plain = new ProxyFixture(vault);

    fetch(plain.admit(), ELSEWHERE);
    assertThat(vault.entries().get(0).actor()).isEqualTo(vault.caller(plain.invokerKey()).actor());

    fetch(plain.admitAnonymous(), ELSEWHERE);
    assertThat(vault.entries().get(0).actor().id()).isEmpty();
  }

  @Test
  void longestHostIsTruncatedInLog() {
    String host = ("a".repeat(62) + ".").repeat(4) + "b";

    fetch(proxy.admit(), ProxyFixture.destination(host));

    assertThat(vault.messages().get(0))
        .startsWith("Transform fetches from " + host.substring(0, 190));
  }

  @Test
  void userWithDeletedKeyCannotFetch() {
    ProxyFixture plain = new ProxyFixture(vault);
    Admission admission = plain.admit();
    vault.deleteApplication(vault.caller(plain.invokerKey()));

    assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> fetch(admission, ELSEWHERE));
  }

  @Test
  void invocationThatUsedBoundTokenFetchesOnlyFromItsDestination() {
    bindPci();
    for (ProxyFixture each : List.of(proxy, new ProxyFixture(vault))) {
      Admission admission = each.admit();
      fetch(admission, ELSEWHERE);
      vault.begin(admission, BANK, card, other);

      fetch(admission, BANK);
      assertRefused(FailureCause.TOKENS_BOUND, () -> fetch(admission, ELSEWHERE));
      fetch(each.admit(), ELSEWHERE);
    }
  }

  @Test
  void invocationThatReadBoundTokenFetchesOnlyFromItsDestination() {
    bindPci();
    for (Consumer<Caller> read : reads()) {
      Admission admission = proxy.admit();
      read.accept(acting(admission, BANK));

      fetch(admission, BANK);
      assertFetchDenied(admission, ELSEWHERE);
      assertThat(vault.entries().get(0).actor()).isEqualTo(application.actor());
    }
  }

  @Test
  void revealedTokenRestrictsFetchesEvenAfterDeletion() {
    bindPci();
    Admission admission = proxy.admit();
    vault.tokens.read(acting(admission, BANK), card);
    vault.tokens.delete(vault.caller(Permission.TOKEN_DELETE), card);

    assertFetchDenied(admission, ELSEWHERE);
  }

  @Test
  void bindingAddedAfterReadAppliesToFetch() {
    Admission admission = proxy.admit();
    vault.tokens.read(acting(admission, ELSEWHERE), card);
    bindPci();

    assertFetchDenied(admission, ELSEWHERE);
  }

  @Test
  void rejectedHostIsRecordedOnlyAsComparableHash() {
    bindPci();
    Admission admission = proxy.admit();
    vault.tokens.read(acting(admission, BANK), card);
    Destination leak = ProxyFixture.destination("4242424242424242.evil.example");

    assertFetchDenied(admission, leak);
    assertFetchDenied(admission, leak);
    assertFetchDenied(admission, ELSEWHERE);

    List<String> hosts = vault.messages().subList(0, 3);
    assertThat(hosts.get(1)).isEqualTo(hosts.get(2)).isNotEqualTo(hosts.get(0));
    assertThat(vault.messages()).noneMatch(message -> message.contains("4242424242424242"));
  }

  @Test
  void wildcardHostIsRecordedOnlyAsHashAfterBoundTokenRead() {
    vault.bind("/pci/", "*.bank.example");
    bindPci();
    Admission admission = proxy.admit();
    Destination chosen = ProxyFixture.destination("a-card.bank.example");
    fetch(admission, chosen);
    assertThat(vault.messages().get(0)).isEqualTo("Transform fetches from a-card.bank.example");
    vault.tokens.read(acting(admission, BANK), card);

    fetch(admission, chosen);
    assertThat(vault.messages().get(0))
        .matches("Transform fetches from the host with the hash [0-9a-f]{64}");
    fetch(admission, BANK);
    assertThat(vault.messages().get(0)).isEqualTo("Transform fetches from " + BANK.host());
  }

  @Test
  void fetchIsNotSentIfItsDecisionIsOutdated() {
    Admission admission = proxy.admit();
    vault.tokens.read(acting(admission, BANK), card);
    vault.recorder.beforeRecord(this::bindPci);
    assertRefused(FailureCause.OVERLOADED, () -> fetch(admission, ELSEWHERE));

    Admission bare = proxy.admit();
    vault.recorder.beforeRecord(() -> vault.revokePermissions(application));
    assertRefused(FailureCause.OVERLOADED, () -> fetch(bare, BANK));

    proxy.update(null, Map.of());
    assertRefused(FailureCause.OVERLOADED, () -> fetch(bare, BANK));

    assertThat(vault.messages()).noneMatch(message -> message.startsWith("Transform fetches"));
  }

  /** Returns each operation that shows the card. */
  private List<Consumer<Caller>> reads() {
    return List.of(
        caller -> vault.tokens.read(caller, card),
        vault::list,
        caller -> vault.detokenize(caller, card),
        caller -> vault.change(caller, card, new Patch().metadata("a", "b")));
  }

  @Test
  void failedReadDoesNotRestrictFetches() {
    bindPci();
    for (Consumer<Caller> read : reads()) {
      Admission admission = proxy.admit();
      Caller acting = acting(admission, BANK);
      vault.recorder.fail();
      vault.tokenStore.beforeWrite(RevealedTokensTest::failToStore);

      assertRefused(FailureCause.STORE_UNAVAILABLE, () -> read.accept(acting));

      vault.recorder.reset();
      vault.tokenStore.clearActions();
      fetch(admission, ELSEWHERE);
    }
  }

  private static void failToStore() {
    throw RefusedException.unavailable(null);
  }

  @Test
  void tokenStateSupersededBeforeReadDoesNotRestrictFetches() {
    bindPci();
    for (Consumer<Caller> read : reads()) {
      moveTo("/pci/high/");
      Admission admission = proxy.admit();
      Caller acting = acting(admission, BANK);
      vault.recorder.beforeRecord(() -> moveTo("/general/"));
      vault.tokenStore.beforeWrite(() -> moveTo("/general/"));

      read.accept(acting);

      vault.recorder.reset();
      vault.tokenStore.clearActions();
      fetch(admission, ELSEWHERE);
    }
  }

  private void moveTo(String container) {
    vault.tokenStore.clearActions();
    vault.change(application, card, new Patch().containers(container));
  }

  @Test
  void rejectedChangeThatWouldRevealBoundTokenRestrictsFetches() {
    bindPci();
    for (Patch patch :
        List.of(new Patch().containers("/general/"), new Patch().mask("\"{{ unknown }}\""))) {
      Admission admission = proxy.admit();

      assertRefused(
          FailureCause.TOKENS_BOUND, () -> vault.change(acting(admission, BANK), card, patch));

      assertFetchDenied(admission, ELSEWHERE);
    }
  }

  @Test
  void tokenStateSupersededBeforeUseDoesNotRestrictFetches() {
    bindPci();
    ProxyFixture plain = new ProxyFixture(vault);
    Admission admission = plain.admit();
    vault.recorder.beforeRecord(
        () -> vault.change(application, card, new Patch().containers("/general/")));

    assertThat(vault.begin(admission, BANK, card)).hasSize(1);

    fetch(admission, ELSEWHERE);
    assertThat(vault.messages().get(0)).isEqualTo("Transform fetches from " + ELSEWHERE.host());
  }
}
