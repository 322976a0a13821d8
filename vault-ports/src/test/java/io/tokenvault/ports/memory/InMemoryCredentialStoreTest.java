package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.CredentialStoreContract;
import io.tokenvault.ports.contract.StoreFixture;
import java.time.Clock;

final class InMemoryCredentialStoreTest extends CredentialStoreContract {

  @Override
  protected StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }
}
