package io.tokenvault.ports.memory;

import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.audit.ChainedLogFixture;
import io.tokenvault.ports.contract.audit.HashChainStoreContract;
import io.tokenvault.ports.contract.audit.LogFeedContract;
import io.tokenvault.ports.contract.audit.LogMonthsContract;
import io.tokenvault.ports.contract.crypto.FieldCipherContract;
import io.tokenvault.ports.contract.crypto.KeyHasherContract;
import io.tokenvault.ports.contract.crypto.KeyWrapperContract;
import io.tokenvault.ports.contract.crypto.TokenHasherContract;
import io.tokenvault.ports.contract.runtime.ElectionContract;
import io.tokenvault.ports.contract.runtime.JsonCodecContract;
import io.tokenvault.ports.contract.runtime.RateLimitsContract;
import io.tokenvault.ports.contract.stores.VaultStoresContract;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.TokenHasher;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import io.tokenvault.ports.runtime.RateLimits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;

/** Runs the contract suites of the ports on the in-memory adapters. */
final class InMemoryContractsTest extends VaultStoresContract {

  @Override
  public StoreFixture openFixture() {
    return new InMemoryStores(Clock.systemUTC());
  }

  private interface Logs extends ChainedLogFixture.Source {
    @Override
    default ChainedLogFixture openFixture() {
      return new InMemoryChainedLogFixture(InMemoryChainedLog::new);
    }
  }

  @Nested
  final class HashChainStore extends HashChainStoreContract implements Logs {}

  @Nested
  final class LogFeed extends LogFeedContract implements Logs {}

  @Nested
  final class LogMonths extends LogMonthsContract implements Logs {}

  @Nested
  final class FieldCipherLaws extends FieldCipherContract {

    @Override
    protected FieldCipher cipher() {
      return new FakeFieldCipher();
    }

    @Override
    protected KeyWrapper wrapper() {
      return new FakeKeyWrapper();
    }
  }

  @Nested
  final class KeyHasherLaws extends KeyHasherContract {

    @Override
    protected KeyHasher hasher() {
      return new FakeKeyHasher();
    }
  }

  @Nested
  final class KeyWrapperLaws extends KeyWrapperContract {

    @Override
    protected KeyWrapper wrapper() {
      return new FakeKeyWrapper(1);
    }

    @Override
    protected KeyWrapper rotatedWrapper() {
      return new FakeKeyWrapper(2);
    }

    @Override
    protected FieldCipher cipher() {
      return new FakeFieldCipher();
    }
  }

  @Nested
  final class TokenHasherLaws extends TokenHasherContract {

    @Override
    protected TokenHasher hasher() {
      return new FakeTokenHasher();
    }

    @Override
    protected KeyWrapper wrapper() {
      return new FakeKeyWrapper();
    }
  }

  @Nested
  final class ElectionLaws extends ElectionContract {

    private final Map<LeaderTask, InMemoryElection> elected = new ConcurrentHashMap<>();

    @Override
    protected LeaderElection join() {
      return new InMemoryElection(elected);
    }

    @Override
    protected void leave(LeaderElection node) {
      ((InMemoryElection) node).leave();
    }

    @Override
    protected void cut(LeaderElection node) {
      leave(node);
    }

    @Override
    protected void closeAll() {
      elected.clear();
    }
  }

  @Nested
  final class RateLimitsLaws extends RateLimitsContract {

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private final RateLimits limits = new InMemoryLimits(() -> now, BURST, EACH);

    @Override
    protected RateLimits limits() {
      return limits;
    }

    @Override
    protected void pass(Duration time) {
      now = now.plus(time);
    }
  }

  @Nested
  final class JsonCodecLaws extends JsonCodecContract {

    @Override
    protected JsonCodec codec() {
      return new SmallJsonCodec();
    }
  }
}
