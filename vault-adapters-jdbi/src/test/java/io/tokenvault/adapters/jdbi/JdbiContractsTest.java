package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.contract.ApplicationStoreContract;
import io.tokenvault.ports.contract.AuditLogContract;
import io.tokenvault.ports.contract.CredentialStoreContract;
import io.tokenvault.ports.contract.EncryptedFieldsContract;
import io.tokenvault.ports.contract.KeyGraceContract;
import io.tokenvault.ports.contract.KeyStoreContract;
import io.tokenvault.ports.contract.ProxyStoreContract;
import io.tokenvault.ports.contract.ReadinessContract;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TenantStoreContract;
import io.tokenvault.ports.contract.crypto.KeysetRegistryContract;
import org.junit.jupiter.api.Nested;

/**
 * The stores on PostgreSQL keep the laws of the ports; {@link JdbiTokenContractsTest} has those of
 * tokens.
 */
final class JdbiContractsTest {

  private interface Stores extends StoreFixture.Source {
    @Override
    default StoreFixture openFixture() {
      return JdbiStoreFixture.open();
    }
  }

  @Nested
  final class ApplicationStore extends ApplicationStoreContract implements Stores {}

  @Nested
  final class AuditLog extends AuditLogContract implements Stores {}

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
  final class EncryptedFieldValues extends EncryptedFieldsContract implements Stores {}

  @Nested
  final class TenantStore extends TenantStoreContract implements Stores {}
}
