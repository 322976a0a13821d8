package example.vault;

import io.tokenvault.ports.contract.SealedFieldsContract;
import io.tokenvault.ports.contract.StoreFixture;

final class SqliteSealedFieldsTest extends SealedFieldsContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
