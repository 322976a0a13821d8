package example.vault;

import io.tokenvault.ports.contract.RequestLookupContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteRequestLookupTest extends RequestLookupContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
