package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.application.Application;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.model.NewApplication;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link CredentialStore}. */
public abstract class CredentialStoreContract extends StoreContract {

  private final KeyHash young = Samples.hash(2);
  private NewApplication wanted;
  private Application application;
  private NewProxy proxy;

  @BeforeEach
  void createApplicationAndProxy() {
    wanted = Samples.application(tenant);
    application = createApplication(wanted);
    proxy = Samples.proxy(tenant);
    createProxy(proxy);
  }

  @Test
  void renewedApiKeyIsFoundByNewHashOnly() {
    stores.credentials().renew(tenant, wanted.keyHash(), young);

    assertThat(caller(young).orElseThrow().application()).isEqualTo(application);
    assertThat(caller(young).orElseThrow().matched()).contains(young);
    assertThat(caller(wanted.keyHash())).isEmpty();
    assertThat(invoked(young)).isEmpty();
  }

  @Test
  void renewedProxyKeyIsFoundByNewHashOnly() {
    stores.credentials().renew(tenant, proxy.keyHash(), young);

    assertThat(invoked(young).orElseThrow().proxy().proxy().id()).isEqualTo(proxy.id());
    assertThat(invoked(young).orElseThrow().matched()).isEqualTo(young);
    assertThat(invoked(proxy.keyHash())).isEmpty();
    assertThat(caller(young)).isEmpty();
  }

  @Test
  void unknownKeyHashIsNotRenewed() {
    stores.credentials().renew(tenant, Samples.hash(), young);
    stores.credentials().renew(tenant, new KeyHash(9, wanted.keyHash().bytes()), young);

    assertThat(caller(young)).isEmpty();
    assertThat(invoked(young)).isEmpty();
    assertThat(caller(wanted.keyHash())).isPresent();
  }

  @Test
  void keyOfAnotherTenantIsNotRenewed() {
    stores.credentials().renew(otherTenant, wanted.keyHash(), young);
    stores.credentials().renew(otherTenant, proxy.keyHash(), young);

    assertThat(caller(young)).isEmpty();
    assertThat(caller(wanted.keyHash())).isPresent();
    assertThat(invoked(proxy.keyHash())).isPresent();
  }

  @Test
  void renewalDoesNotRestoreReplacedKey() {
    replaceKey(tenant, application.id(), Samples.hash(2));

    stores.credentials().renew(tenant, wanted.keyHash(), young);

    assertThat(caller(young)).isEmpty();
  }

  @Test
  void replacementInvalidatesRenewedKey() {
    stores.credentials().renew(tenant, wanted.keyHash(), young);

    replaceKey(tenant, application.id(), Samples.hash(2));

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
