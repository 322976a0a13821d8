package io.tokenvault.ports.usecase.token;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static io.tokenvault.ports.usecase.VaultFixture.data;
import static io.tokenvault.ports.usecase.VaultFixture.errors;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenExpressions;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CreateTokensTest {

  private static final String CARD =
      "{\"number\":\"4242424242424242\",\"expiration_month\":12,\"expiration_year\":2030,"
          + "\"cvc\":\"123\"}";

  private final VaultFixture vault = new VaultFixture();
  private final Caller creator = vault.caller(Permission.TOKEN_CREATE);

  private Caller caller(AccessTransform transform, Permission... permissions) {
    return vault.caller("/", transform, permissions);
  }

  private Caller revealer() {
    return caller(AccessTransform.REVEAL, Permission.TOKEN_CREATE);
  }

  private void assertInvalid(Draft draft, String... paths) {
    assertThat(errors(() -> vault.create(creator, draft))).containsOnlyKeys(paths);
  }

  private long count() {
    return vault.list(vault.caller(Permission.TOKEN_SEARCH)).totalItems();
  }

  @Test
  void newTokenIsReturnedUnderRuleThatAllowedItsCreation() {
    Draft draft = Draft.ofJson("card", CARD);

    assertThat(vault.create(revealer(), draft).view().data()).contains(SensitiveValue.ofText(CARD));
    assertThat(data(vault.create(creator, draft).view()))
        .isEqualTo(
            "{\"number\":\"XXXXXXXXXXXX4242\",\"expiration_month\":12,\"expiration_year\":2030}");
    assertThat(
            vault
                .create(caller(AccessTransform.REDACT, Permission.TOKEN_CREATE), draft)
                .view()
                .data())
        .isEmpty();
    assertThat(vault.messages().get(0)).isEqualTo("Token created");
    assertThat(vault.entries().get(0).entityType().value()).isEqualTo("card");
  }

  @Test
  void ownMaskIsAppliedAndExpressionsRequireRevealedData() {
    Draft draft = Draft.of("a secret").withMask("{{ data | reveal_last: 2 }}");

    TokenView masked = vault.create(creator, draft).view();
    TokenView revealed = vault.create(revealer(), draft).view();

    assertThat(data(masked)).isEqualTo("\"XXXXXXet\"");
    assertThat(masked.expressions()).isEmpty();
    assertThat(revealed.expressions())
        .contains(
            new TokenExpressions(
                Optional.of(JsonValue.of("{{ data | reveal_last: 2 }}")),
                List.of(),
                Optional.empty()));
  }

  @Test
  void failingExpressionsAreReportedByField() {
    assertInvalid(Draft.of("x").withMask("{{ data | unknown }}"), "mask");
    assertInvalid(Draft.of("x").withMask("{{ metadata.a }}").withMetadata("a", "b"), "mask");
    assertInvalid(
        Draft.of("x").withIndexes("{{ data }}", "{{ data.missing }}"), "search_indexes[1]");
    assertInvalid(Draft.of("x").withFingerprint("{{ nothing }}"), "fingerprint_expression");
    assertInvalid(Draft.of("x").withId("{{ data | stringify }}"), "id");
    assertThat(count()).isZero();
  }

  @Test
  void schemaViolationsAreReportedWithAllOthers() {
    Violations schemaViolations = new Violations().add("metadata", "must be an object");

    TokenDraft draft = Draft.ofJson("unknown", "1").toDraft();

    assertThat(errors(() -> vault.createTokens.create(creator, draft, schemaViolations)))
        .containsOnlyKeys("metadata", "type");
  }

  @Test
  void creationRequiresPermissionOnEveryContainer() {
    Caller caller = vault.caller("/pci/", AccessTransform.REVEAL, Permission.TOKEN_CREATE);

    assertThat(vault.create(caller, Draft.of("x").in("/pci/")).view().data()).isPresent();
    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () -> vault.create(caller, Draft.of("x").in("/pci/", "/general/")));
    AuditEntry denied = vault.entries().get(0);
    assertThat(denied.message()).isEqualTo("Token creation denied");
    assertThat(denied.entityId()).isEqualTo(caller.id().toString());
  }

  @Test
  void forbiddenTokenIsNotEvaluated() {
    Caller limited = vault.caller("/pci/", AccessTransform.REVEAL, Permission.TOKEN_CREATE);
    Draft failing = Draft.of("4242424242424242").withMask("{{ data.missing }}");

    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () -> vault.create(limited, failing.in("/pci/", "/general/")));
    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () ->
            vault.create(
                limited,
                failing.in("/general/").withId("{{ data | alias_preserve_length: 0, 4 }}")));
  }

  @Test
  void draftIsNotValidatedWithoutPermission() {
    Caller reader = vault.caller(Permission.TOKEN_READ);

    assertRefused(
        FailureCause.PERMISSION_DENIED, () -> vault.create(reader, Draft.ofJson("unknown", "1")));
  }

  @Test
  void takenAliasIsGeneratedAgain() {
    Draft draft = Draft.of("4242424242424242").withId("{{ data | alias_preserve_length: 0, 4 }}");
    vault.tokenStore.returnIdTaken(3);

    TokenId id = vault.create(creator, draft).view().token().id();

    assertThat(vault.tokenStore.requestedIds()).hasSize(4).doesNotHaveDuplicates().endsWith(id);
    assertThat(vault.tokenStore.requestedIds())
        .allMatch(each -> each.value().matches("\\w{12}4242"));
  }

  @Test
  void randomIdReplacesAliasAfterManyCollisions() {
    vault.tokenStore.returnIdTaken(12);

    TokenId id =
        vault
            .create(
                creator,
                Draft.of("424242424242").withId("{{ data | alias_preserve_length: 0, 0 }}"))
            .view()
            .token()
            .id();

    assertThat(id.value()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  }

  @Test
  void replacementIdForTakenAliasIsDecidedAgain() {
    Caller prefixCreator = vault.caller(VaultFixture.createsIds("card-"));
    Draft draft = Draft.of("card-4242424242").withId("{{ data | alias_preserve_length: 5, 0 }}");

    vault.tokenStore.returnIdTaken(3);
    assertThat(vault.create(prefixCreator, draft).isNew()).isTrue();
    vault.tokenStore.returnIdTaken(12);
    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.create(prefixCreator, draft));
    assertThat(vault.messages().get(0)).isEqualTo("Token creation denied");
    assertThat(count()).isEqualTo(1);
  }

  @Test
  void accessRevokedAfterAdmissionCreatesNothing() {
    Caller replaced = vault.caller(Permission.TOKEN_CREATE);
    vault.revokePermissions(creator);
    vault.regenerate(replaced.application().id(), KeyGrace.NONE);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.create(creator, Draft.of("x")));
    assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> vault.create(replaced, Draft.of("x")));
    assertThat(count()).isZero();
  }

  @Test
  void draftsOfRequestShareEvaluationLimit() {
    Draft masked =
        Draft.of("masked").withMask("{{ data | reveal_last: 1 }}").withFingerprint("{{ data }}");
    vault.expressions.limit(3);

    assertThat(errors(() -> vault.createAll(creator, masked, masked)))
        .containsOnlyKeys("items[1].fingerprint_expression");
    assertThat(vault.create(creator, masked).isNew()).isTrue();
  }

  @Test
  void aliasIsGeneratedOnlyFromDataOfCheckedSize() {
    vault.expressions.limit(0);

    assertInvalid(
        Draft.of("x".repeat(TokenEvaluation.MAX_DATA_SIZE - 1))
            .withId("{{ data | alias_preserve_length: 0, 4 }}"),
        "data");
  }

  @Test
  void aliasThatIsInvalidIdIsReportedByName() {
    assertInvalid(
        Draft.of("a space in front").withId("{{ data | alias_preserve_length: 4, 0 }}"), "id");
  }

  @Test
  void typesAndFingerprintExpressionsDetermineEqualContent() {
    vault.create(creator, Draft.ofJson("card_number", "\"4242424242424242\""));
    vault.create(creator, Draft.ofJson("social_security_number", "\"123-45-6789\""));
    vault.create(
        creator,
        Draft.of("x").withFingerprint("{{ metadata.customer }}").withMetadata("customer", "7"));

    assertThat(isNew(Draft.ofJson("card", CARD))).isTrue();
    assertThat(isNew(Draft.ofJson("social_security_number", "\"123456789\""))).isFalse();
    assertThat(
            isNew(
                Draft.of("y")
                    .withFingerprint("{{ metadata.customer }}")
                    .withMetadata("customer", "7")))
        .isFalse();
  }

  private boolean isNew(Draft draft) {
    return vault.create(creator, draft.deduplicated()).isNew();
  }

  @Test
  void foundTokenIsReturnedInBriefWithoutRead() {
    vault.create(creator, Draft.of("the same").withMetadata("a", "b"));

    TokenView found = vault.create(revealer(), Draft.of("the same").deduplicated()).view();

    assertThat(found.isSummary()).isTrue();
    assertThat(found.data()).isEmpty();
    assertThat(vault.messages().get(0)).isEqualTo("Token retrieved");
  }

  @Test
  void foundTokenIsShownToReaderUnderWeakerRule() {
    vault.create(creator, Draft.of("the same").withMask("{{ data | reveal_last: 1 }}"));
    Draft draft = Draft.of("the same").deduplicated();
    Caller revealer =
        caller(AccessTransform.REVEAL, Permission.TOKEN_CREATE, Permission.TOKEN_READ);
    Caller masked = vault.caller(Permission.TOKEN_CREATE, Permission.TOKEN_READ);

    assertThat(data(vault.create(revealer, draft).view())).isEqualTo("\"the same\"");
    assertThat(data(vault.create(masked, draft).view())).isEqualTo("\"XXXXXXXe\"");
    assertThat(vault.create(masked, draft).view().isSummary()).isFalse();
  }

  @Test
  void deduplicationSkipsTokenInContainerForbiddenToCaller() {
    vault.create(creator, Draft.of("the same").in("/a/", "/b/"));
    Caller limited = vault.caller("/a/", AccessTransform.REVEAL, Permission.TOKEN_CREATE);

    assertThat(vault.create(limited, Draft.of("the same").in("/a/").deduplicated()).isNew())
        .isTrue();
  }

  @Test
  void batchIsCreatedInOrder() {
    List<CreatedToken> created =
        vault.createAll(
            revealer(), Draft.of("one"), Draft.of("two"), Draft.of("one").deduplicated());

    assertThat(created).extracting(CreatedToken::isNew).containsExactly(true, true, false);
    assertThat(created.get(2).view().token()).isEqualTo(created.get(0).view().token());
    assertThat(data(created.get(1).view())).isEqualTo("\"two\"");
  }

  @Test
  void batchViolationsAreReportedWithTheirPosition() {
    Draft noCard = Draft.ofJson("card", "{}");
    Draft noMask = Draft.of("x").withMask("{{ data.a }}");

    assertThat(errors(() -> vault.createAll(creator, Draft.of("right"), noCard, noMask)))
        .containsOnlyKeys("items[1].data.number", "items[2].mask");
    assertThat(count()).isZero();
  }

  @Test
  void oneTakenIdRejectsWholeBatch() {
    vault.create(creator, Draft.of("x").withId("taken"));

    assertRefused(
        FailureCause.TOKEN_ID_TAKEN,
        () -> vault.createAll(creator, Draft.of("x"), Draft.of("y").withId("taken")));

    assertThat(count()).isEqualTo(1);
  }

  @Test
  void oneForbiddenTokenRejectsWholeBatch() {
    Caller limited = vault.caller("/pci/", AccessTransform.REVEAL, Permission.TOKEN_CREATE);

    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () -> vault.createAll(limited, Draft.of("x").in("/pci/"), Draft.of("y").in("/general/")));

    assertThat(count()).isZero();
    assertThat(vault.messages()).contains("Token creation denied").doesNotContain("Token created");
  }

  @Test
  void batchAcceptsAtMostOneHundredTokens() {
    Draft[] maximum = Collections.nCopies(100, Draft.of("x")).toArray(Draft[]::new);
    Draft[] tooMany = Arrays.copyOf(maximum, 101);
    tooMany[100] = Draft.of("x");

    assertThat(vault.createAll(creator, maximum)).hasSize(100);
    assertRefused(FailureCause.TOO_MANY_TOKENS, () -> vault.createAll(creator, tooMany));
    assertThat(vault.createAll(creator)).isEmpty();
    assertThat(count()).isEqualTo(100);
  }

  @Test
  void shreddedTenantCreatesNothing() {
    vault.shred();

    Caller currentCreator = vault.caller(Permission.TOKEN_CREATE);

    assertRefused(FailureCause.TENANT_SHREDDED, () -> vault.create(currentCreator, Draft.of("x")));
  }
}
