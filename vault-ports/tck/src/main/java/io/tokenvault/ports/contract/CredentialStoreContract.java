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

  private final KeyHash newHash = Samples.hash(2);
  private NewApplication newApplication;
  private Application application;
  private NewProxy proxy;

  @BeforeEach
  void createApplicationAndProxy() {
    newApplication = Samples.application(tenant);
    application = createApplication(newApplication);
    proxy = Samples.proxy(tenant);
    createProxy(proxy);
  }

  @Test
  void renewedApiKeyIsFoundByNewHashOnly() {
    stores.credentials().renew(tenant, newApplication.keyHash(), newHash);

    assertThat(caller(newHash).orElseThrow().application()).isEqualTo(application);
    assertThat(caller(newHash).orElseThrow().matched()).contains(newHash);
    assertThat(caller(newApplication.keyHash())).isEmpty();
    assertThat(invoked(newHash)).isEmpty();
  }

  @Test
  void renewedProxyKeyIsFoundByNewHashOnly() {
    stores.credentials().renew(tenant, proxy.keyHash(), newHash);

    assertThat(invoked(newHash).orElseThrow().proxy().proxy().id()).isEqualTo(proxy.id());
    assertThat(invoked(newHash).orElseThrow().matched()).isEqualTo(newHash);
    assertThat(invoked(proxy.keyHash())).isEmpty();
    assertThat(caller(newHash)).isEmpty();
  }

  @Test
  void unknownKeyHashIsNotRenewed() {
    stores.credentials().renew(tenant, Samples.hash(), newHash);
    stores.credentials().renew(tenant, new KeyHash(9, newApplication.keyHash().bytes()), newHash);

    assertThat(caller(newHash)).isEmpty();
    assertThat(invoked(newHash)).isEmpty();
    assertThat(caller(newApplication.keyHash())).isPresent();
  }

  @Test
  void keyOfAnotherTenantIsNotRenewed() {
    stores.credentials().renew(otherTenant, newApplication.keyHash(), newHash);
    stores.credentials().renew(otherTenant, proxy.keyHash(), newHash);

    assertThat(caller(newHash)).isEmpty();
    assertThat(caller(newApplication.keyHash())).isPresent();
    assertThat(invoked(proxy.keyHash())).isPresent();
  }

  @Test
  void renewalDoesNotRestoreReplacedKey() {
    replaceKey(tenant, application.id(), Samples.hash(2));

    stores.credentials().renew(tenant, newApplication.keyHash(), newHash);

    assertThat(caller(newHash)).isEmpty();
  }

  @Test
  void replacementInvalidatesRenewedKey() {
    stores.credentials().renew(tenant, newApplication.keyHash(), newHash);

    replaceKey(tenant, application.id(), Samples.hash(2));

    assertThat(caller(newHash)).isEmpty();
  }

  @Test
  void concurrentRenewalsAllYieldNewHash() {
    Race.run(
        i -> {
          stores.credentials().renew(tenant, newApplication.keyHash(), newHash);
          return i;
        });

    assertThat(caller(newHash).orElseThrow().application()).isEqualTo(application);
  }

  @Test
  void brokenConnectionReportsUnavailableWithoutArguments() {
    KeyHash marked = new KeyHash(1, MARKER.getBytes(StandardCharsets.UTF_8));
    fixture.breakConnection();

    assertUnavailable(() -> stores.credentials().renew(tenant, marked, marked));
  }
}
