package example.vault;

import io.tokenvault.ports.contract.KeyGraceContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteKeyGraceTest extends KeyGraceContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
