package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.ApplicationType;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyDraft;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxyUpdate;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.runtime.MemoryBudget;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.proxy.ProxyView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests {@link ManageProxies}. */
final class ProxiesTest {

  private final VaultFixture vault = new VaultFixture();

  private static ProxyDraft draft(String name, ApplicationId application) {
    return new ProxyDraft(
        name,
        "https://api.example.com/base",
        application,
        Map.of("k", "v"),
        null,
        null,
        null,
        Map.of());
  }

  private ProxyView create(ProxyDraft draft) {
    return vault.proxies.create(vault.manager(), draft, new Violations());
  }

  private ApplicationId application(ApplicationType type, Permission permission) {
    return vault.caller(type, permission).application().id();
  }

  @Test
  void createdProxyIsReadWithItsKey() {
    ProxyView created = create(draft("p", null));

    ProxyView found = vault.proxies.read(vault.manager(), created.proxy().id());

    assertThat(found.key().value()).isEqualTo(created.key().value());
    assertThat(found.configuration()).isEqualTo(SensitiveValue.ofText("{\"k\":\"v\"}"));
    assertThat(found.proxy()).isEqualTo(created.proxy());
    assertThat(found.proxy().settings().requireAuth()).isTrue();
    assertThat(vault.messages().subList(0, 2)).containsExactly("Proxy retrieved", "Proxy created");
  }

  @Test
  void keyAndConfigurationAreStoredEncrypted() {
    ProxyView created = create(draft("p", null));

    StoredProxy stored =
        vault.stores.proxies().find(vault.tenantId(), created.proxy().id()).orElseThrow();

    assertThat(text(stored.key().ciphertext())).doesNotContain(text(created.key().value().open()));
    assertThat(text(stored.configuration().ciphertext())).doesNotContain("\"k\"");
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Test
  void ineligibleApplicationIsRejected() {
    for (ApplicationId id :
        List.of(
            vault.tenant.applicationId(),
            vault.callerOfOtherTenant(Permission.TOKEN_CREATE).application().id(),
            application(ApplicationType.EXPIRING, Permission.TOKEN_READ),
            new ApplicationId(UUID.randomUUID()))) {
      assertThat(VaultFixture.errors(() -> create(draft("p", id))))
          .containsOnlyKeys("application.id");
    }
  }

  private ProxyView updateWith(ProxyId id, Map<String, Object> fields) {
    ProxyUpdate update = new ProxyUpdate(draft("new", null), new UnchangedFields(fields));
    return vault.proxies.update(vault.manager(), id, update, ExpectedVersion.ANY, new Violations());
  }

  @Test
  void immutableFieldsAreAcceptedOnlyUnchanged() {
    ProxyView created = create(draft("old", null));
    Proxy known = created.proxy();
    Map<String, Object> stored =
        Map.of(
            "id", known.id().value(),
            "tenant_id", known.tenantId().value(),
            "key", created.key().value(),
            "created_by", known.provenance().createdBy().orElseThrow(),
            "created_at", known.provenance().createdAt());

    assertThat(updateWith(known.id(), stored).proxy().settings().name().value()).isEqualTo("new");
    stored.forEach(
        (name, value) -> {
          Object other =
              value instanceof UUID
                  ? UUID.randomUUID()
                  : value instanceof Instant time
                      ? time.plusNanos(1000)
                      : SensitiveValue.ofText("planted");
          Map<String, List<String>> errors =
              VaultFixture.errors(() -> updateWith(known.id(), Map.of(name, other)));
          assertThat(errors).containsOnlyKeys(name);
          assertThat(errors.toString()).doesNotContain("planted");
        });
  }

  @Test
  void versionMismatchLeavesProxyUnchanged() {
    ProxyView created = create(draft("old", null));
    ProxyId id = created.proxy().id();
    ExpectedVersion other = ExpectedVersion.oneOf(Set.of(created.proxy().version() + 1));
    List<String> messages = vault.messages();
    ProxyUpdate update = new ProxyUpdate(draft("new", null), UnchangedFields.NONE);

    assertRefused(
        FailureCause.PRECONDITION_FAILED,
        () -> vault.proxies.update(vault.manager(), id, update, other, new Violations()));
    assertRefused(
        FailureCause.PRECONDITION_FAILED, () -> vault.proxies.delete(vault.manager(), id, other));

    assertThat(vault.messages()).isEqualTo(messages);
    assertThat(vault.proxies.read(vault.manager(), id).proxy()).isEqualTo(created.proxy());
  }

  @Test
  void unknownAndForeignIdsAreNotFound() {
    Caller other = vault.caller(vault.otherTenant().key());
    ProxyId foreign = vault.proxies.create(other, draft("p", null), new Violations()).proxy().id();

    for (ProxyId id : List.of(foreign, new ProxyId(UUID.randomUUID()))) {
      Caller manager = vault.manager();
      assertRefused(FailureCause.NOT_FOUND, () -> vault.proxies.read(manager, id));
      assertRefused(
          FailureCause.NOT_FOUND,
          () -> vault.proxies.update(manager, id, draft("p", null), new Violations()));
      assertRefused(
          FailureCause.NOT_FOUND, () -> vault.proxies.delete(manager, id, ExpectedVersion.ANY));
    }
  }

  @Test
  void listIsRecordedAsOneSearch() {
    create(draft("one", null));
    create(draft("two", null));

    assertThat(
            vault
                .proxies
                .list(
                    vault.manager(),
                    new ProxyFilter(Set.of(), Optional.of("t*")),
                    new PageRequest(1, 20),
                    MemoryReservation.UNBOUNDED)
                .items())
        .hasSize(1);
    assertThat(vault.messages().get(0)).isEqualTo("Proxies listed");
  }

  @Test
  void listBeyondMemoryBudgetIsNeitherRecordedNorDecrypted() {
    create(draft("one", null));
    Caller manager = vault.manager();
    ProxyFilter all = new ProxyFilter(Set.of(), Optional.empty());
    PageRequest page = new PageRequest(1, 20);
    List<String> messages = vault.messages();

    vault.assertRefusedUndecrypted(
        FailureCause.BODY_TOO_LARGE,
        () -> vault.proxies.list(manager, all, page, new MemoryBudget(10).open()));

    assertThat(vault.messages()).isEqualTo(messages);
    assertThat(vault.proxies.list(manager, all, page, new MemoryBudget(2000).open()).items())
        .hasSize(1);
  }

  @Test
  void unrecordableReadDecryptsNothing() {
    ProxyId id = create(draft("p", null)).proxy().id();
    Caller manager = vault.manager();
    vault.recorder.fail();

    vault.assertRefusedUndecrypted(
        FailureCause.STORE_UNAVAILABLE, () -> vault.proxies.read(manager, id));
  }
}
