package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.RequestJournalContract;
import io.tokenvault.ports.contract.StoreFixture;

final class JdbiRequestJournalTest extends RequestJournalContract {

  @Override
  protected StoreFixture openFixture() {
    return JdbiStoreFixture.open();
  }
}
