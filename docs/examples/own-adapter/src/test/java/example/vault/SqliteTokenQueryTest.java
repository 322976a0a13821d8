package example.vault;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenQueryContract;

final class SqliteTokenQueryTest extends TokenQueryContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
