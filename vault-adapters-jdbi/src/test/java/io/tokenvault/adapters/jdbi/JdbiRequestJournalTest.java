package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.RequestJournalContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiRequestJournalTest extends RequestJournalContract {

  @Override
  public StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
