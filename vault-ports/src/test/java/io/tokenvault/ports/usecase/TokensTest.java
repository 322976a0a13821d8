package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.Vault.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.TokenFilter;
import io.tokenvault.ports.usecase.ManageTenants.IssuedTenant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@link VaultTokens} and the door to plaintext behind it. */
final class TokensTest {

  private static final TokenFilter ALL =
      new TokenFilter(Set.of(), Set.of(), Optional.empty(), Map.of());
  private static final PageRequest FIRST_PAGE = new PageRequest(1, 20);

  private final Vault vault = new Vault();
  private final TokenId id = vault.token("/pci/high/", "a secret");

  private Caller reader(String container, AccessTransform transform) {
    return vault.caller(
        vault.key(
            ApplicationType.PRIVATE, Vault.rule(container, transform, Permission.TOKEN_READ)));
  }

  private Caller revealer() {
    return reader("/pci/", AccessTransform.REVEAL);
  }

  @Test
  void aRevealingRuleShowsTheDataAndRecordsTheRead() {
    TokenView view = vault.tokens.find(revealer(), id);

    assertThat(view.data()).contains(SensitiveValue.ofText("\"a secret\""));
    assertThat(vault.messages().get(0)).isEqualTo("Token retrieved");
    assertThat(vault.entries().get(0).entityId()).isEqualTo(id.value());
  }

  @Test
  void whatIsNotRevealedIsNotOpened() {
    for (AccessTransform transform : List.of(AccessTransform.MASK, AccessTransform.REDACT)) {
      assertThat(vault.tokens.find(reader("/pci/", transform), id).data()).isEmpty();
    }
    assertThat(vault.sealer.opened()).isZero();
    assertThat(vault.messages()).filteredOn("Token retrieved"::equals).hasSize(2);
  }

  @Test
  void aReadWithoutPermissionOnTheContainerIsForbiddenAndRecorded() {
    Caller caller = reader("/other/", AccessTransform.REVEAL);

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.find(caller, id));

    assertThat(vault.messages().get(0)).isEqualTo("Token read denied");
    assertThat(vault.sealer.opened()).isZero();
  }

  @Test
  void anUnknownTokenAndAnotherTenantsTakeTheSamePath() {
    IssuedTenant other = vault.tenants.create(new ResourceName("other"));
    ApiKey key =
        vault.key(
            other.tenantId(),
            ApplicationType.PRIVATE,
            new ApplicationSettings(
                new ResourceName("foreigner"),
                Vault.rule("/", AccessTransform.REVEAL, Permission.TOKEN_READ),
                Optional.empty()));
    Caller foreigner = vault.caller(key);
    vault.lookup.taken();

    assertRefused(FailureCause.NOT_FOUND, () -> vault.tokens.find(foreigner, id));
    List<Lookup> forForeign = vault.lookup.taken();
    assertRefused(
        FailureCause.NOT_FOUND, () -> vault.tokens.find(foreigner, new TokenId("unknown")));
    List<Lookup> forUnknown = vault.lookup.taken();

    assertThat(forForeign).containsExactly(Lookup.tokens(foreigner.keyHashes(), Set.of(id)));
    assertThat(forUnknown)
        .containsExactly(Lookup.tokens(foreigner.keyHashes(), Set.of(new TokenId("unknown"))));
  }

  @Test
  void nothingIsOpenedUnlessItIsRecorded() {
    Caller caller = revealer();
    vault.recorder.fail();

    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> vault.tokens.find(caller, id));
    assertRefused(FailureCause.STORE_UNAVAILABLE, () -> vault.tokens.list(caller, ALL, FIRST_PAGE));

    assertThat(vault.sealer.opened()).isZero();
  }

  @Test
  void whatIsStaleIsLoadedAndDecidedAgain() {
    Caller caller = revealer();
    vault.lookup.taken();
    vault.recorder.sayStale(3);

    assertThat(vault.tokens.find(caller, id).data()).isPresent();

    assertThat(vault.lookup.taken()).hasSize(4);
    assertThat(vault.sealer.opened()).isEqualTo(1);
  }

  @Test
  void whatKeepsChangingIsGivenUpUnopened() {
    Caller caller = revealer();
    vault.recorder.sayStale(Integer.MAX_VALUE);

    assertRefused(FailureCause.OVERLOADED, () -> vault.tokens.find(caller, id));

    assertThat(vault.sealer.opened()).isZero();
  }

  @Test
  void aRightThatEndsBetweenDecisionAndRecordIsNotUsed() {
    Caller caller = revealer();
    vault.recorder.before(
        () ->
            vault
                .stores
                .applications()
                .update(
                    vault.tenantId(),
                    caller.application().id(),
                    Samples.settings("less", AccessPolicy.none()),
                    Optional.empty(),
                    Samples.entry(vault.tenantId())));

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.find(caller, id));

    assertThat(vault.sealer.opened()).isZero();
  }

  @Test
  void aKeyThatEndsBetweenDecisionAndRecordIsRefused() {
    Caller caller = revealer();
    vault.recorder.before(
        () -> vault.applications.regenerate(vault.manager(), caller.application().id()));

    assertRefused(FailureCause.MISSING_OR_INVALID_KEY, () -> vault.tokens.find(caller, id));

    assertThat(vault.sealer.opened()).isZero();
  }

  @Test
  void aTokenThatIsDeletedBetweenDecisionAndRecordIsNotFound() {
    Caller caller = revealer();
    Caller deleter = vault.caller(ApplicationType.PRIVATE, Permission.TOKEN_DELETE);
    vault.recorder.before(() -> vault.tokens.delete(deleter, id));

    assertRefused(FailureCause.NOT_FOUND, () -> vault.tokens.find(caller, id));

    assertThat(vault.sealer.opened()).isZero();
  }

  @Test
  void aListShowsAndCountsOnlyWhatTheCallerMaySee() {
    vault.token("/other/", "another secret");

    Page<TokenView> page = vault.tokens.list(revealer(), ALL, FIRST_PAGE);

    assertThat(page.totalItems()).isEqualTo(1);
    assertThat(page.items().get(0).data()).contains(SensitiveValue.ofText("\"a secret\""));
    assertThat(vault.messages().subList(0, 2)).containsExactly("Token retrieved", "Tokens listed");
  }

  @Test
  void aListThatRevealsNothingIsOneEntry() {
    int before = vault.messages().size();
    Caller caller = vault.caller(ApplicationType.PRIVATE, Permission.TOKEN_SEARCH);

    vault.tokens.list(caller, ALL, FIRST_PAGE);

    assertThat(vault.messages()).hasSize(before + 2);
    assertThat(vault.entries().get(0).entityId()).isEqualTo("*");
    assertThat(vault.sealer.opened()).isZero();
  }

  @Test
  void creatingNeedsThePermissionOnEveryContainer() {
    Caller creator =
        vault.caller(
            vault.key(
                ApplicationType.PRIVATE,
                Vault.rule("/pci/", AccessTransform.REVEAL, Permission.TOKEN_CREATE)));

    assertThat(create(creator, "one", "/pci/").data()).isPresent();
    assertRefused(
        FailureCause.PERMISSION_DENIED, () -> create(creator, "two", "/pci/", "/general/"));
    assertThat(vault.messages().get(0)).isEqualTo("Token creation denied");
  }

  private TokenView create(Caller caller, String wantedId, String... containers) {
    TokenDraft draft =
        new TokenDraft(wantedId, "token", JsonValue.of("data"), List.of(containers), null, null);
    return vault.tokens.create(caller, draft, new Violations());
  }

  @Test
  void aTakenIdIsAConflict() {
    Caller creator = vault.caller(ApplicationType.PRIVATE, Permission.TOKEN_CREATE);
    create(creator, "taken", "/a/");

    assertRefused(FailureCause.TOKEN_ID_TAKEN, () -> create(creator, "taken", "/a/"));
  }

  @Test
  void dataBeyondTheLimitAreRefusedByName() {
    Caller creator = vault.caller(ApplicationType.PRIVATE, Permission.TOKEN_CREATE);
    TokenDraft draft =
        new TokenDraft(
            null,
            "token",
            JsonValue.of("x".repeat(VaultTokens.MAX_DATA_SIZE - 1)),
            null,
            null,
            null);

    assertThatExceptionOfType(ValidationException.class)
        .isThrownBy(() -> vault.tokens.create(creator, draft, new Violations()))
        .satisfies(invalid -> assertThat(invalid.errors()).containsOnlyKeys("data"));
  }

  @Test
  void aDeletedTokenIsGoneAndItsEntriesStay() {
    vault.tokens.delete(vault.caller(ApplicationType.PRIVATE, Permission.TOKEN_DELETE), id);

    assertRefused(FailureCause.NOT_FOUND, () -> vault.tokens.find(revealer(), id));
    assertThat(vault.messages()).contains("Token deleted", "Token created");
  }

  @Test
  void deletingWithoutPermissionOnTheContainerIsForbidden() {
    Caller caller =
        vault.caller(
            vault.key(
                ApplicationType.PRIVATE,
                Vault.rule("/other/", AccessTransform.MASK, Permission.TOKEN_DELETE)));

    assertRefused(FailureCause.PERMISSION_DENIED, () -> vault.tokens.delete(caller, id));

    assertThat(vault.messages().get(0)).isEqualTo("Token deletion denied");
    assertThat(vault.tokens.find(revealer(), id).data()).isPresent();
  }
}
