package example.vault;

import io.tokenvault.ports.contract.ApplicationStoreContract;
import io.tokenvault.ports.contract.AuditLogContract;
import io.tokenvault.ports.contract.AuditRecorderContract;
import io.tokenvault.ports.contract.CredentialStoreContract;
import io.tokenvault.ports.contract.EncryptedFieldsContract;
import io.tokenvault.ports.contract.KeyGraceContract;
import io.tokenvault.ports.contract.KeyStoreContract;
import io.tokenvault.ports.contract.ProxyStoreContract;
import io.tokenvault.ports.contract.ReadinessContract;
import io.tokenvault.ports.contract.RequestJournalContract;
import io.tokenvault.ports.contract.RequestLookupContract;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TenantStoreContract;
import io.tokenvault.ports.contract.TokenDeduplicationContract;
import io.tokenvault.ports.contract.TokenQueryContract;
import io.tokenvault.ports.contract.TokenStoreContract;
import io.tokenvault.ports.contract.TokenUpdateContract;
import io.tokenvault.ports.contract.crypto.KeysetRegistryContract;
import org.junit.jupiter.api.Nested;

/** The stores over the storage of this project keep the laws of the ports. */
final class SqliteContractsTest {

  private interface Stores extends StoreFixture.Source {
    @Override
    default StoreFixture openFixture() {
      return SqliteFixture.open();
    }
  }

  @Nested
  final class ApplicationStore extends ApplicationStoreContract implements Stores {}

  @Nested
  final class AuditLog extends AuditLogContract implements Stores {}

  @Nested
  final class AuditRecorder extends AuditRecorderContract implements Stores {}

  @Nested
  final class CredentialStore extends CredentialStoreContract implements Stores {}

  @Nested
  final class KeyGrace extends KeyGraceContract implements Stores {}

  @Nested
  final class KeyStore extends KeyStoreContract implements Stores {}

  @Nested
  final class KeysetRegistry extends KeysetRegistryContract implements Stores {}

  @Nested
  final class ProxyStore extends ProxyStoreContract implements Stores {}

  @Nested
  final class Readiness extends ReadinessContract implements Stores {}

  @Nested
  final class RequestJournal extends RequestJournalContract implements Stores {}

  @Nested
  final class RequestLookup extends RequestLookupContract implements Stores {}

  @Nested
  final class EncryptedFieldValues extends EncryptedFieldsContract implements Stores {}

  @Nested
  final class TenantStore extends TenantStoreContract implements Stores {}

  @Nested
  final class TokenDeduplication extends TokenDeduplicationContract implements Stores {}

  @Nested
  final class TokenQuery extends TokenQueryContract implements Stores {}

  @Nested
  final class TokenStore extends TokenStoreContract implements Stores {}

  @Nested
  final class TokenUpdate extends TokenUpdateContract implements Stores {}
}
