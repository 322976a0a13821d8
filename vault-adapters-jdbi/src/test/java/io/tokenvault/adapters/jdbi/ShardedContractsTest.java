package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.ports.contract.ApplicationStoreContract;
import io.tokenvault.ports.contract.AuditLogContract;
import io.tokenvault.ports.contract.AuditRecorderContract;
import io.tokenvault.ports.contract.CredentialStoreContract;
import io.tokenvault.ports.contract.KeyGraceContract;
import io.tokenvault.ports.contract.KeyStoreContract;
import io.tokenvault.ports.contract.KeysetRegistryContract;
import io.tokenvault.ports.contract.ProxyStoreContract;
import io.tokenvault.ports.contract.ReadinessContract;
import io.tokenvault.ports.contract.RequestJournalContract;
import io.tokenvault.ports.contract.RequestLookupContract;
import io.tokenvault.ports.contract.SealedFieldsContract;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.TenantStoreContract;
import io.tokenvault.ports.contract.TokenDeduplicationContract;
import io.tokenvault.ports.contract.TokenQueryContract;
import io.tokenvault.ports.contract.TokenStoreContract;
import io.tokenvault.ports.contract.TokenUpdateContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The laws of all stores hold over two databases. The suites of ports that are only passed on, by
 * tenant, run at full size.
 */
final class ShardedContractsTest {

  @Nested
  final class Tenants extends TenantStoreContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }

    @Test
    void theTwoTenantsOfTheSuitesAreInTwoDatabases() {
      assertThat(ShardedStoreFixture.countTenants()).containsExactly(1L, 1L);
    }
  }

  @Nested
  final class Lookup extends RequestLookupContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  final class Requests extends RequestJournalContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  final class Registry extends KeysetRegistryContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  final class Grace extends KeyGraceContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  final class Keys extends KeyStoreContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  final class Ready extends ReadinessContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  final class Recorder extends AuditRecorderContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  @Tag("long")
  final class Log extends AuditLogContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  @Tag("long")
  final class Credentials extends CredentialStoreContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  @Tag("long")
  final class Sealed extends SealedFieldsContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  @Tag("long")
  final class Applications extends ApplicationStoreContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }

    /** One database that refuses keeps none of the others from being swept. */
    @Override
    protected void assertThatNothingIsSwept() {
      assertThat(sweep(10)).isZero();
    }
  }

  @Nested
  @Tag("long")
  final class Proxies extends ProxyStoreContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  @Tag("long")
  final class Tokens extends TokenStoreContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  @Tag("long")
  final class Deduplication extends TokenDeduplicationContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  @Tag("long")
  final class Queries extends TokenQueryContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }

  @Nested
  @Tag("long")
  final class Updates extends TokenUpdateContract {
    @Override
    protected StoreFixture openFixture() {
      return ShardedStoreFixture.open();
    }
  }
}
