package example.vault;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenUpdateContract;

final class SqliteTokenUpdateTest extends TokenUpdateContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
