package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.AuditRecorderContract;
import io.tokenvault.ports.contract.RequestJournalContract;
import io.tokenvault.ports.contract.RequestLookupContract;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.token.TokenDeduplicationContract;
import io.tokenvault.ports.contract.token.TokenQueryContract;
import io.tokenvault.ports.contract.token.TokenStoreContract;
import io.tokenvault.ports.contract.token.TokenUpdateContract;
import org.junit.jupiter.api.Nested;

/** The laws of tokens, look-ups, requests and entries. */
final class JdbiTokenContractsTest {

  private interface Stores extends StoreFixture.Source {
    @Override
    default StoreFixture openFixture() {
      return JdbiStoreFixture.open();
    }
  }

  private interface CutStores extends StoreFixture.Source {
    @Override
    default StoreFixture openFixture() {
      return JdbiStoreFixture.openToCut();
    }
  }

  @Nested
  final class AuditRecorder extends AuditRecorderContract implements CutStores {}

  @Nested
  final class RequestJournal extends RequestJournalContract implements Stores {}

  @Nested
  final class RequestLookup extends RequestLookupContract implements Stores {}

  @Nested
  final class TokenDeduplication extends TokenDeduplicationContract implements Stores {}

  @Nested
  final class TokenQuery extends TokenQueryContract implements Stores {}

  @Nested
  final class TokenStore extends TokenStoreContract implements CutStores {}

  @Nested
  final class TokenUpdate extends TokenUpdateContract implements Stores {}
}
