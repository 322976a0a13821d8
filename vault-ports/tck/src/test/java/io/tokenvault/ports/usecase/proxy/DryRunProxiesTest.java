package io.tokenvault.ports.usecase.proxy;

import static io.tokenvault.ports.usecase.ProxyFixture.BANK;
import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.usecase.Draft;
import io.tokenvault.ports.usecase.ProxyFixture;
import io.tokenvault.ports.usecase.VaultFixture;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.DryRunProxies.AdmittedDryRun;
import io.tokenvault.ports.usecase.token.TokenDecryptor.TokenPreview;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that dry runs are recorded and show at most masks. */
final class DryRunProxiesTest {

  private static final SensitiveValue MASK = SensitiveValue.ofText("\"XXXXXXet\"");

  private final VaultFixture vault = new VaultFixture();
  private final TokenId id =
      vault.token(Draft.of("a secret").in("/pci/").withMask("{{ data | reveal_last: 2 }}")).id();
  private final TokenId maskless = vault.token(Draft.of("a secret").in("/pci/")).id();
  private final TokenId other = vault.token(Draft.of("a secret").in("/pii/")).id();
  private final Caller user =
      vault.caller("/pci/", AccessTransform.REVEAL, Permission.TOKEN_USE, Permission.TOKEN_READ);
  private final ProxyFixture proxy =
      new ProxyFixture(
          vault, user.application().id(), Map.of(TransformKind.REQUEST, "module.exports = f"));

  private AdmittedDryRun begin(Optional<ApplicationId> invoker) {
    return vault.dryRuns.begin(vault.manager(), proxy.id(), invoker);
  }

  private AdmittedDryRun beginAsUser() {
    return begin(Optional.of(user.application().id()));
  }

  private Map<String, TokenPreview> preview(AdmittedDryRun dryRun, String... ids) {
    return vault.dryRuns.preview(dryRun, BANK, Set.of(ids), MemoryReservation.UNBOUNDED);
  }

  @Test
  void dryRunIsRecordedForCaller() {
    AdmittedDryRun dryRun = beginAsUser();

    AuditEntry entry = vault.entries().get(0);
    assertThat(entry.message()).isEqualTo("Proxy dry run");
    assertThat(entry.actor()).isEqualTo(vault.manager().actor());
    assertThat(dryRun.proxy().orElseThrow().id()).isEqualTo(proxy.id());
    assertThat(dryRun.transform(TransformKind.REQUEST)).isPresent();
    assertThat(dryRun.transform(TransformKind.RESPONSE)).isEmpty();
    assertThat(VaultFixture.text(dryRun.configuration())).isEqualTo("{\"k\":\"v\"}");
  }

  @Test
  void callerWithoutProxyUpdateCannotStartDryRun() {
    assertRefused(
        FailureCause.PERMISSION_DENIED,
        () -> vault.dryRuns.begin(user, proxy.id(), Optional.empty()));
    assertThat(vault.entries().get(0).actor()).isEqualTo(user.actor());
  }

  @Test
  void unknownProxyOrApplicationIsRejected() {
    assertRefused(
        FailureCause.NOT_FOUND,
        () ->
            vault.dryRuns.begin(vault.manager(), new ProxyId(UUID.randomUUID()), Optional.empty()));
    assertThat(VaultFixture.errors(() -> begin(Optional.of(new ApplicationId(UUID.randomUUID())))))
        .containsOnlyKeys("application.id");
    assertThat(vault.messages()).doesNotContain("Proxy dry run");
  }

  @Test
  void previewHasMasksAndPermissionsOfInvoker() {
    Map<String, TokenPreview> previews =
        preview(beginAsUser(), id.value(), maskless.value(), other.value(), "no-such-token");

    assertThat(previews).containsOnlyKeys(id.value(), maskless.value(), other.value());
    assertThat(previews.get(id.value())).isEqualTo(new TokenPreview(true, true, Optional.of(MASK)));
    assertThat(previews.get(maskless.value()).usable()).isTrue();
    assertThat(previews.get(maskless.value()).mask()).isNotEqualTo(Optional.of("\"a secret\""));
    assertThat(previews.get(other.value()))
        .isEqualTo(new TokenPreview(false, true, Optional.empty()));
    assertThat(previews.get(id.value())).hasToString("TokenPreview[usable=true, deliverable=true]");
  }

  @Test
  void shownMasksAreRecordedAsReadsOfCaller() {
    AdmittedDryRun dryRun = beginAsUser();
    int before = vault.entries().size();

    preview(dryRun, id.value(), other.value());

    assertThat(vault.entries()).hasSize(before + 1);
    assertThat(vault.entries().get(0).entityId()).isEqualTo(id.value());
    assertThat(vault.entries().get(0).actor()).isEqualTo(vault.manager().actor());
  }

  @Test
  void anonymousPreviewReturnsNothing() {
    assertThat(preview(begin(Optional.empty()), id.value())).isEmpty();
  }

  @Test
  void previewLimitsNumberOfTokens() {
    String[] ids =
        IntStream.rangeClosed(0, ProxyInvocations.MAX_TOKENS)
            .mapToObj(each -> "token-" + each)
            .toArray(String[]::new);

    assertRefused(FailureCause.TOO_MANY_TOKENS, () -> preview(beginAsUser(), ids));
  }

  @Test
  void actingApplicationSeesAtMostMasks() {
    Caller acting = vault.dryRuns.acting(beginAsUser()).orElseThrow();

    assertThat(vault.tokens.read(acting, id).data()).contains(MASK);
    assertThat(vault.entries().get(0).actor()).isEqualTo(user.actor());
  }

  @Test
  void proxyWithoutApplicationHasNoActingCaller() {
    ProxyFixture plain = new ProxyFixture(vault);

    assertThat(
            vault.dryRuns.acting(
                vault.dryRuns.begin(vault.manager(), plain.id(), Optional.empty())))
        .isEmpty();
  }
}
