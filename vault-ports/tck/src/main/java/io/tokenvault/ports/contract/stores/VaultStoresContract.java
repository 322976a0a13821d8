package io.tokenvault.ports.contract.stores;

import io.tokenvault.ports.VaultStores;
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
import io.tokenvault.ports.contract.crypto.KeysetRegistryContract;
import io.tokenvault.ports.contract.token.TokenDeduplicationContract;
import io.tokenvault.ports.contract.token.TokenQueryContract;
import io.tokenvault.ports.contract.token.TokenStoreContract;
import io.tokenvault.ports.contract.token.TokenUpdateContract;
import org.junit.jupiter.api.Nested;

/**
 * Contract tests for {@link VaultStores}: all suites that use a {@link StoreFixture}, as nested
 * classes. The test of an adapter extends this class and opens its fixture.
 *
 * <pre>{@code
 * final class SqliteContractsTest extends VaultStoresContract {
 *   @Override
 *   public StoreFixture openFixture() {
 *     return SqliteFixture.open();
 *   }
 * }
 * }</pre>
 */
public abstract class VaultStoresContract implements StoreFixture.Source {

  @Nested
  final class ApplicationStoreLaws extends ApplicationStoreContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class AuditLogLaws extends AuditLogContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class AuditRecorderLaws extends AuditRecorderContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class CredentialStoreLaws extends CredentialStoreContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class EncryptedFieldsLaws extends EncryptedFieldsContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class KeyGraceLaws extends KeyGraceContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class KeyStoreLaws extends KeyStoreContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class KeysetRegistryLaws extends KeysetRegistryContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class ProxyStoreLaws extends ProxyStoreContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class ReadinessLaws extends ReadinessContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class RequestJournalLaws extends RequestJournalContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class RequestLookupLaws extends RequestLookupContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class TenantStoreLaws extends TenantStoreContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class TokenDeduplicationLaws extends TokenDeduplicationContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class TokenQueryLaws extends TokenQueryContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class TokenStoreLaws extends TokenStoreContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }

  @Nested
  final class TokenUpdateLaws extends TokenUpdateContract {
    @Override
    public StoreFixture openFixture() {
      return VaultStoresContract.this.openFixture();
    }
  }
}
