package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.application.Application;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.model.NewApplication;
import io.tokenvault.ports.store.model.NewProxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The laws of {@link CredentialStore}. */
public abstract class CredentialStoreContract extends StoreContract {

  private final KeyHash young = Samples.hash(2);
  private NewApplication wanted;
  private Application application;
  private NewProxy proxy;

  @BeforeEach
  void makeKeys() {
    wanted = Samples.application(tenant);
    application = createApplication(wanted);
    proxy = Samples.proxy(tenant);
    stores.proxies().create(proxy, Samples.entry(tenant, "proxy made"));
  }

  private Optional<LoadedCaller> caller(KeyHash hash) {
    return stores
        .lookup()
        .load(LookupRequest.caller(List.of(hash)), MemoryReservation.UNBOUNDED)
        .caller();
  }

  private LookupResult byProxyKey(KeyHash hash) {
    return stores
        .lookup()
        .load(new LookupRequest(List.of(), List.of(hash), Set.of()), MemoryReservation.UNBOUNDED);
  }

  @Test
  void renewedApiKeyIsFoundByNewHashOnly() {
    stores.credentials().renew(tenant, wanted.keyHash(), young);

    assertThat(caller(young).orElseThrow().application()).isEqualTo(application);
    assertThat(caller(young).orElseThrow().matched()).contains(young);
    assertThat(caller(wanted.keyHash())).isEmpty();
    assertThat(byProxyKey(young).proxy()).isEmpty();
  }

  @Test
  void renewedProxyKeyIsFoundByNewHashOnly() {
    stores.credentials().renew(tenant, proxy.keyHash(), young);

    assertThat(byProxyKey(young).proxy().orElseThrow().proxy().proxy().id()).isEqualTo(proxy.id());
    assertThat(byProxyKey(young).proxy().orElseThrow().matched()).isEqualTo(young);
    assertThat(byProxyKey(proxy.keyHash()).proxy()).isEmpty();
    assertThat(caller(young)).isEmpty();
  }

  @Test
  void unknownKeyHashIsNotRenewed() {
    stores.credentials().renew(tenant, Samples.hash(), young);
    stores.credentials().renew(tenant, new KeyHash(9, wanted.keyHash().bytes()), young);

    assertThat(caller(young)).isEmpty();
    assertThat(byProxyKey(young).proxy()).isEmpty();
    assertThat(caller(wanted.keyHash())).isPresent();
  }

  @Test
  void anotherTenantsKeyIsNotRenewed() {
    stores.credentials().renew(otherTenant, wanted.keyHash(), young);
    stores.credentials().renew(otherTenant, proxy.keyHash(), young);

    assertThat(caller(young)).isEmpty();
    assertThat(caller(wanted.keyHash())).isPresent();
    assertThat(byProxyKey(proxy.keyHash()).proxy()).isPresent();
  }

  @Test
  void renewalDoesNotRestoreReplacedKey() {
    stores
        .applications()
        .replaceKey(
            tenant, application.id(), Samples.hash(2), Optional.empty(), Samples.entry(tenant));

    stores.credentials().renew(tenant, wanted.keyHash(), young);

    assertThat(caller(young)).isEmpty();
  }

  @Test
  void replacementInvalidatesRenewedKey() {
    stores.credentials().renew(tenant, wanted.keyHash(), young);

    stores
        .applications()
        .replaceKey(
            tenant, application.id(), Samples.hash(2), Optional.empty(), Samples.entry(tenant));

    assertThat(caller(young)).isEmpty();
  }

  @Test
  void concurrentRenewalsAllYieldNewHash() {
    Race.run(
        i -> {
          stores.credentials().renew(tenant, wanted.keyHash(), young);
          return i;
        });

    assertThat(caller(young).orElseThrow().application()).isEqualTo(application);
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    KeyHash marked = new KeyHash(1, MARKER.getBytes(StandardCharsets.UTF_8));
    fixture.breakConnection();

    assertUnavailable(() -> stores.credentials().renew(tenant, marked, marked));
  }
}
