package io.tokenvault.ports.usecase.token;

import static io.tokenvault.domain.access.AccessTransform.MASK;
import static io.tokenvault.domain.access.AccessTransform.REDACT;
import static io.tokenvault.domain.access.AccessTransform.REVEAL;
import static io.tokenvault.domain.access.Permission.TOKEN_READ;
import static io.tokenvault.domain.access.Permission.TOKEN_SEARCH;
import static io.tokenvault.domain.access.Permission.TOKEN_UPDATE;
import static io.tokenvault.domain.access.Permission.TOKEN_USE;
import static io.tokenvault.domain.failure.FailureCause.NOT_FOUND;
import static io.tokenvault.domain.failure.FailureCause.PERMISSION_DENIED;
import static io.tokenvault.domain.failure.FailureCause.PRECONDITION_FAILED;
import static io.tokenvault.domain.failure.FailureCause.TENANT_SHREDDED;
import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static io.tokenvault.ports.usecase.VaultFixture.data;
import static io.tokenvault.ports.usecase.VaultFixture.errors;
import static io.tokenvault.ports.usecase.VaultFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.Patch;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ChangeTokensTest {

  private static final String DATA = "{\"a\":\"first\",\"b\":{\"c\":\"second\"}}";

  private final VaultFixture vault = new VaultFixture();
  private final Token token =
      vault.token(
          Draft.ofJson("token", DATA)
              .in("/pci/high/")
              .withMask("{{ data.a | reveal_last: 2 }}")
              .withMetadata("k", "v"));
  private static final AccessRule UPDATE = rule(1, "/", REVEAL, TOKEN_UPDATE);

  private final Caller updater = caller(UPDATE);
  private final Caller revealer =
      caller(rule(1, "/", REVEAL, TOKEN_UPDATE, TOKEN_READ, TOKEN_SEARCH));

  private Caller caller(AccessRule... rules) {
    return vault.caller(VaultFixture.rules(rules));
  }

  private TokenView change(Caller caller, Patch patch) {
    return vault.change(caller, token.id(), patch);
  }

  private List<Container> move(Caller caller, String... containers) {
    return change(caller, new Patch().containers(containers)).token().settings().containers();
  }

  private void changeExpecting(long version) {
    vault.changeTokens.change(
        revealer,
        token.id(),
        new Patch().metadata("k", "new").toPatch(),
        ExpectedVersion.oneOf(Set.of(version)),
        new Violations(),
        MemoryReservation.UNBOUNDED);
  }

  @Test
  void versionMismatchChangesAndRecordsNothing() {
    List<String> messages = vault.messages();

    assertRefused(PRECONDITION_FAILED, () -> changeExpecting(token.version() + 1));
    assertRefused(
        PRECONDITION_FAILED,
        () -> {
          vault.tokenStore.beforeWrite(() -> change(updater, new Patch().metadata("k", "other")));
          changeExpecting(token.version());
        });

    assertThat(vault.messages()).hasSize(messages.size() + 1).startsWith("Token updated");
    assertThat(vault.tokens.read(revealer, token.id()).token().settings().metadata())
        .isEqualTo(Map.of("k", "other"));
  }

  @Test
  void tokenOfExpectedVersionIsChanged() {
    changeExpecting(token.version());

    assertThat(vault.messages()).contains("Token updated");
  }

  private void assertDenied(Caller caller, Patch patch) {
    assertRefused(PERMISSION_DENIED, () -> change(caller, patch));
    assertThat(vault.messages().get(0)).isEqualTo("Token update denied");
  }

  private String read() {
    return data(vault.tokens.read(revealer, token.id()));
  }

  @Test
  void dataAndMetadataAreMerged() {
    TokenView view =
        change(revealer, new Patch().data("{\"b\":{\"d\":1},\"e\":2}").metadata("other", "value"));

    assertThat(data(view))
        .isEqualTo("{\"a\":\"first\",\"b\":{\"c\":\"second\",\"d\":1},\"e\":2}")
        .isEqualTo(read());
    assertThat(view.token().settings().metadata()).hasSize(2).containsEntry("other", "value");
    assertThat(view.token().provenance().modifiedBy()).contains(revealer.id());
    assertThat(view.token().version()).isGreaterThan(token.version());
  }

  @Test
  void changeAndReturnedDataAreRecorded() {
    change(revealer, new Patch().metadata("k", "w"));

    assertThat(vault.messages().subList(0, 2)).containsExactly("Token retrieved", "Token updated");
  }

  @Test
  void missingPermissionOrTokenChangesNothing() {
    Caller reader = caller(rule(1, "/", REVEAL, TOKEN_READ));
    Caller otherUpdater = caller(rule(1, "/other/", REVEAL, TOKEN_UPDATE));

    assertRefused(PERMISSION_DENIED, () -> change(reader, new Patch().metadata("k", "w")));
    assertDenied(otherUpdater, new Patch().metadata("k", "w"));
    assertRefused(
        NOT_FOUND,
        () -> vault.change(updater, new TokenId("unknown"), new Patch().metadata("k", "w")));
    assertThat(vault.messages()).doesNotContain("Token updated");
  }

  @Test
  void changeRequiresPermissionOnContainersBeforeAndAfter() {
    Caller limited =
        caller(rule(1, "/pci/", REVEAL, TOKEN_UPDATE), rule(2, "/", REVEAL, TOKEN_READ));

    assertDenied(limited, new Patch().containers("/pci/high/", "/other/"));
    assertThat(move(limited, "/pci/low/")).containsExactly(new Container("/pci/low/"));
    change(revealer, new Patch().containers("/pci/high/", "/other/"));
    assertDenied(limited, new Patch().containers("/pci/high/"));
  }

  @Test
  void responseAppliesWeakerOfUpdateAndRead() {
    Caller maskedReader = caller(UPDATE, rule(2, "/", MASK, TOKEN_READ));
    Caller redacted = caller(rule(1, "/", REDACT, TOKEN_UPDATE), rule(2, "/", REVEAL, TOKEN_READ));

    assertThat(data(change(maskedReader, new Patch().metadata("k", "w")))).isEqualTo("\"XXXst\"");
    assertThat(change(redacted, new Patch().metadata("k", "w")).data()).isEmpty();
    assertThat(vault.messages()).doesNotContain("Token retrieved");
  }

  @Test
  void callerWithoutReadSeesPreviousMask() {
    Patch replacement = new Patch().data("\"new\"").mask("\"{{ data }}\"");
    Caller masked = vault.caller(TOKEN_UPDATE);

    assertThat(data(change(updater, new Patch().data("{\"a\":\"changed\"}"))))
        .isEqualTo("\"XXXXXed\"");
    assertThat(data(change(masked, new Patch().metadata("k", "w")))).isEqualTo("\"XXXXXed\"");
    assertThat(change(updater, replacement).data()).isEmpty();
    assertThat(read()).isEqualTo("\"new\"");
  }

  @Test
  void expressionsOnUnchangedDataRequireRevealingRead() {
    Caller masked = caller(UPDATE, rule(2, "/", MASK, TOKEN_READ));
    for (Caller caller : List.of(updater, masked)) {
      assertDenied(caller, new Patch().mask("\"{{ data.b }}\""));
      assertDenied(caller, new Patch().withoutMask());
      assertDenied(caller, new Patch().indexes("{{ data.a }}"));
      assertDenied(caller, new Patch().fingerprint("{{ data.a }}"));
      assertDenied(caller, new Patch().mask("\"{{ data.b }}\"").data("{\"a\":1}"));
    }
    assertThat(read()).isEqualTo(DATA);
  }

  @Test
  void expressionsOnReplacedDataRequireNoRead() {
    Patch patch =
        new Patch()
            .data("{\"a\":\"x\",\"b\":null}")
            .mask("\"{{ data.a }}\"")
            .indexes("{{ data.a }}");

    change(updater, patch);

    assertThat(read()).isEqualTo("{\"a\":\"x\"}");
  }

  @Test
  void callerThatSeesDataMayChangeExpressions() {
    change(
        revealer,
        new Patch().mask("\"{{ data.b.c }}\"").indexes("{{ data.a }}").fingerprint("{{ data.a }}"));

    Caller masked = vault.caller(TOKEN_READ);
    assertThat(data(vault.tokens.read(masked, token.id()))).isEqualTo("\"second\"");
    assertThat(indexed("first")).isEqualTo(1);
  }

  @Test
  void searchIndexesAndFingerprintsAreUpdatedWithData() {
    change(revealer, new Patch().indexes("{{ data.a }}"));

    TokenView after = change(updater, new Patch().data("{\"a\":\"other\"}"));

    assertThat(after.token().fingerprint()).isNotEqualTo(token.fingerprint());
    assertThat(indexed("first")).isZero();
    assertThat(indexed("other")).isEqualTo(1);
  }

  private long indexed(String value) {
    TokenQuery query = vault.tokens.indexedAs(revealer, value);
    return vault.tokens.search(revealer, query, new PageRequest(1, 10)).totalItems();
  }

  @Test
  void fingerprintFollowsMetadataItIsComputedFrom() {
    Token created =
        vault.token(
            Draft.of("x").withFingerprint("{{ metadata.customer }}").withMetadata("customer", "1"));

    TokenView after = vault.change(updater, created.id(), new Patch().metadata("customer", "2"));

    assertThat(after.token().fingerprint()).isPresent().isNotEqualTo(created.fingerprint());
  }

  @Test
  void moveThatWidensVisibilityOrUseRequiresRevealingRead() {
    for (Permission permission : List.of(TOKEN_READ, TOKEN_SEARCH, TOKEN_USE)) {
      Caller mover = caller(UPDATE, rule(2, "/open/", REVEAL, permission));

      assertDenied(mover, new Patch().containers("/open/"));
      assertDenied(mover, new Patch().containers("/pci/high/", "/open/"));
    }
  }

  @Test
  void moveFromReadToWiderSearchRequiresRevealingRead() {
    Caller mover =
        caller(UPDATE, rule(2, "/pci/", MASK, TOKEN_READ), rule(3, "/", REVEAL, TOKEN_SEARCH));

    assertDenied(mover, new Patch().containers("/open/"));
  }

  @Test
  void moveToWiderUpdateVisibilityRequiresRevealingRead() {
    Caller mover =
        caller(rule(1, "/pci/", MASK, TOKEN_UPDATE), rule(2, "/open/", REVEAL, TOKEN_UPDATE));

    assertDenied(mover, new Patch().containers("/open/"));
  }

  @Test
  void moveOutOfContainerThatLimitsUpdatesRequiresRevealingRead() {
    Caller mover =
        caller(rule(1, "/open/", MASK, TOKEN_UPDATE), rule(2, "/pci/", REDACT, TOKEN_UPDATE));
    change(mover, new Patch().containers("/pci/high/", "/open/"));

    assertDenied(mover, new Patch().containers("/open/"));
  }

  @Test
  void moveThatRevealsNoMoreRequiresNoRevealingRead() {
    Caller maskedMover = caller(UPDATE, rule(2, "/pci/", MASK, TOKEN_READ));
    Caller revealingMover =
        caller(UPDATE, rule(2, "/", REVEAL, TOKEN_READ), rule(3, "/open/", REVEAL, TOKEN_USE));

    assertThat(move(maskedMover, "/open/")).containsExactly(new Container("/open/"));
    change(revealingMover, new Patch().containers("/pci/high/"));
    assertThat(data(change(revealingMover, new Patch().containers("/open/")))).isEqualTo(DATA);
  }

  @Test
  void moveThatAllowsMoreDestinationsRequiresRevealingRead() {
    Caller mover = caller(rule(1, "/", REVEAL, TOKEN_UPDATE, TOKEN_USE));
    vault.bind("/pci/", "api.bank.example");

    assertDenied(mover, new Patch().containers("/open/"));
    assertThat(move(mover, "/pci/low/")).containsExactly(new Container("/pci/low/"));
    assertThat(data(change(revealer, new Patch().containers("/open/")))).isEqualTo(DATA);
    assertThat(move(mover, "/pci/")).containsExactly(new Container("/pci/"));
  }

  @Test
  void invalidPatchIsRejectedByName() {
    assertInvalid(new Patch().containers("no path"), "containers[0]");
    assertInvalid(new Patch().expiresAt(VaultFixture.START), "expires_at");
    assertInvalid(new Patch().mask("\"{{ data.missing }}\""), "mask");
    assertInvalid(new Patch().data("{\"a\":null}"), "mask");
    assertInvalid(new Patch().metadata("x".repeat(101), "y"), "metadata");
  }

  private void assertInvalid(Patch patch, String path) {
    assertThat(errors(() -> change(revealer, patch))).containsOnlyKeys(path);
  }

  @Test
  void newExpressionsAreEvaluatedAfterReadIsRecorded() {
    int before = vault.expressions.evaluated();
    vault.recorder.beforeRecord(() -> assertThat(vault.expressions.evaluated()).isEqualTo(before));

    assertInvalid(new Patch().mask("\"{{ data.missing }}\""), "mask");

    AuditEntry read = vault.entries().get(0);
    assertThat(read.operation()).isEqualTo(Operation.READ);
    assertThat(read.entityId()).isEqualTo(token.id().value());
    assertThat(read.actor()).isEqualTo(revealer.actor());
    assertThat(read.message()).isEqualTo("Token data evaluated for a change");
  }

  @Test
  void revokedReadIsDecidedAgain() {
    int before = vault.expressions.evaluated();
    vault.recorder.beforeRecord(() -> vault.revokePermissions(revealer));

    assertDenied(revealer, new Patch().mask("\"{{ data.b.c }}\""));
    assertThat(vault.expressions.evaluated()).isEqualTo(before);
    assertThat(vault.messages()).doesNotContain("Token data evaluated for a change");
  }

  @Test
  void expressionsThatFailOnStoredDataHaveOneMessage() {
    Patch patch =
        new Patch()
            .mask("{\"m\":\"{{ data.missing }}\",\"n\":\"{{ data.b.c.d }}\"}")
            .indexes("{{ data.a }}", "{{ missing }}")
            .fingerprint("{{ data.missing }}");

    List<String> message = List.of("cannot be evaluated on the data of this token");
    assertThat(errors(() -> change(revealer, patch)))
        .isEqualTo(
            Map.of(
                "mask", message,
                "search_indexes[1]", message,
                "fingerprint_expression", message));
  }

  @Test
  void staticallyInvalidExpressionIsRejectedBeforeDecryption() {
    int decryptions = vault.cipher.decryptions();
    List<String> before = vault.messages();

    assertInvalid(new Patch().mask("\"{{ data | nonsense }}\""), "mask");
    assertInvalid(new Patch().indexes("x", "{{ data | nonsense }}"), "search_indexes[1]");
    assertInvalid(new Patch().fingerprint("{{ data | nonsense }}"), "fingerprint_expression");

    assertThat(vault.cipher.decryptions()).isEqualTo(decryptions);
    assertThat(vault.messages()).isEqualTo(before);
  }

  @Test
  void changeIndependentOfStoredDataIsOneEntry() {
    Token plain = vault.token(Draft.of("x").in("/pci/high/"));

    for (Patch patch :
        List.of(
            new Patch().containers("/pci/low/"),
            new Patch().metadata("k", "w"),
            new Patch().expiresAt(VaultFixture.START.plusSeconds(60)))) {
      assertOneEntry(token, patch);
    }
    assertOneEntry(plain, new Patch().data("\"y\""));
    assertOneEntry(plain, new Patch().data("\"y\"").mask("\"{{ data }}\""));
  }

  private void assertOneEntry(Token changed, Patch patch) {
    int before = vault.entries().size();

    vault.change(updater, changed.id(), patch);

    assertThat(vault.entries()).hasSize(before + 1);
    assertThat(vault.messages().get(0)).isEqualTo("Token updated");
  }

  @Test
  void changedDataIsValidatedByTokenType() {
    Token card = vault.token(Draft.ofJson("card", "{\"number\":\"4242424242424242\"}"));

    assertThat(
            errors(() -> vault.change(revealer, card.id(), new Patch().data("{\"number\":\"1\"}"))))
        .containsOnlyKeys("data.number");
    assertThat(
            data(vault.change(revealer, card.id(), new Patch().data("{\"expiration_month\":1}"))))
        .isEqualTo("{\"number\":\"4242424242424242\",\"expiration_month\":1}");
  }

  @Test
  void concurrentChangeIsNotLost() {
    vault.tokenStore.beforeWrite(
        () -> change(revealer, new Patch().data("{\"added\":1}").metadata("m", "n")));

    TokenView view = change(revealer, new Patch().data("{\"a\":\"mine\"}"));

    assertThat(data(view)).isEqualTo("{\"a\":\"mine\",\"b\":{\"c\":\"second\"},\"added\":1}");
    assertThat(view.token().settings().metadata()).containsEntry("m", "n");
  }

  @Test
  void concurrentMoveIsDecidedAgain() {
    Caller limited = caller(rule(1, "/pci/", REVEAL, TOKEN_UPDATE));
    vault.tokenStore.beforeWrite(() -> change(revealer, new Patch().containers("/other/")));

    assertDenied(limited, new Patch().metadata("k", "w"));
  }

  @Test
  void tokenOfShreddedTenantIsNotChanged() {
    vault.shred();

    assertRefused(TENANT_SHREDDED, () -> change(revealer, new Patch().metadata("k", "w")));
  }
}
