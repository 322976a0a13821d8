package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationUpdate;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxyUpdate;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.ProxyView;
import io.tokenvault.ports.usecase.tenant.ReadTenant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests changes that depend on the stored application or proxy, and reads of a tenant. */
final class ConcurrentChangesTest {

  private final VaultFixture vault = new VaultFixture();
  private final Caller manager = vault.manager();
  private final ApplicationId application = vault.caller(Permission.TOKEN_USE).application().id();
  private final ReadTenant tenants = new ReadTenant(vault.stores.tenants(), vault.recorder);
  private final AtomicInteger attempts = new AtomicInteger();

  private static ApplicationUpdate update(String name) {
    return new ApplicationUpdate(
        name, new AccessPolicyDraft(List.of("token:use"), null), null, UnchangedFields.NONE);
  }

  private Application rename(String name) {
    return vault.applications.update(
        manager, application, update(name), ExpectedVersion.ANY, new Violations());
  }

  private static ProxyDraft proxy(String name) {
    return new ProxyDraft(name, "https://api.example.com", null, null, null, null, null, Map.of());
  }

  private static ProxyUpdate replacement(ProxyDraft draft) {
    return new ProxyUpdate(draft, UnchangedFields.NONE);
  }

  @Test
  void overtakenChangeIsDecidedAgain() {
    Application changed =
        vault.applications.change(
            manager,
            application,
            (known, violations) -> {
              if (attempts.getAndIncrement() == 0) {
                rename("first");
              }
              return update(known.settings().name().value() + ", second");
            },
            ExpectedVersion.ANY);

    assertThat(changed.settings().name().value()).isEqualTo("first, second");
    assertThat(attempts).hasValue(2);
    assertThat(vault.messages().subList(0, 2))
        .containsExactly("Application updated", "Application updated");
  }

  @Test
  void overtakenChangeOfProxyIsDecidedAgain() {
    ProxyId id = vault.proxies.create(manager, proxy("p"), new Violations()).proxy().id();

    ProxyView changed =
        vault.proxies.change(
            manager,
            id,
            (known, violations) -> {
              if (attempts.getAndIncrement() == 0) {
                vault.proxies.update(manager, id, proxy("first"), new Violations());
              }
              String name = known.proxy().settings().name().value();
              return replacement(proxy(name + ", second"));
            },
            ExpectedVersion.ANY);

    assertThat(changed.proxy().settings().name().value()).isEqualTo("first, second");
    assertThat(attempts).hasValue(2);
  }

  @Test
  void changeThatIsAlwaysOvertakenIsRefused() {
    assertRefused(FailureCause.OVERLOADED, () -> changeOvertaken(ExpectedVersion.ANY));

    assertThat(attempts).hasValue(20);
    assertThat(rename("x").settings().name().value()).isEqualTo("x");
  }

  @Test
  void overtakenChangeOfExpectedVersionIsRefused() {
    long version = rename("before").version();

    assertRefused(
        FailureCause.PRECONDITION_FAILED, () -> changeOvertaken(ExpectedVersion.exactly(version)));

    assertThat(attempts).hasValue(1);
  }

  private void changeOvertaken(ExpectedVersion version) {
    vault.applications.change(
        manager,
        application,
        (known, violations) -> {
          rename("overtaking " + attempts.incrementAndGet());
          return update("never");
        },
        version);
  }

  @Test
  void unknownIdsAreNotFound() {
    VaultFixture other = new VaultFixture();
    assertRefused(
        FailureCause.NOT_FOUND,
        () ->
            vault.applications.change(
                manager,
                other.tenant.applicationId(),
                (known, violations) -> update("x"),
                ExpectedVersion.ANY));
    assertRefused(
        FailureCause.NOT_FOUND,
        () ->
            vault.proxies.change(
                manager,
                new ProxyId(UUID.randomUUID()),
                (known, violations) -> replacement(proxy("new")),
                ExpectedVersion.ANY));
  }

  @Test
  void readOfOwnTenantIsRecorded() {
    assertThat(tenants.read(vault.caller(Permission.TOKEN_USE)).id()).isEqualTo(vault.tenantId());
    assertThat(vault.messages().get(0)).isEqualTo("Tenant retrieved");
  }

  @Test
  void deletedTenantIsNotFound() {
    vault.tenants.delete(vault.tenantId());

    assertRefused(FailureCause.NOT_FOUND, () -> tenants.read(manager));
  }
}
