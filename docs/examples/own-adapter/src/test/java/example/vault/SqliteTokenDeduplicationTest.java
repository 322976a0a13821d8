package example.vault;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TokenDeduplicationContract;

final class SqliteTokenDeduplicationTest extends TokenDeduplicationContract {

  @Override
  protected StoreFixture openFixture() {
    return SqliteFixture.open();
  }
}
