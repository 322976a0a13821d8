package io.tokenvault.ports.contract.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.LogFeed.Batch;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.contract.BrokenLaw;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Base class of the suites for the chained log, with two tenants and helper methods. */
@ExtendWith(BrokenLaw.class)
public abstract class ChainedLogContract implements ChainedLogFixture.Source {

  /** Log keys that produce constant MACs, because stores do not verify MACs. */
  protected static final LogKeys KEYS = new ConstantLogKeys();

  protected static final int PLENTY = 10_000;

  protected ChainedLogFixture fixture;
  protected final TenantId tenant = Samples.tenantId();
  protected final TenantId other = Samples.tenantId();

  @BeforeEach
  void open() {
    fixture = openFixture();
    chainAll();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  protected final void record(TenantId id, String... messages) {
    fixture
        .recorder()
        .record(
            Arrays.stream(messages).map(message -> Samples.entry(id, message)).toList(),
            Preconditions.none(id));
  }

  protected final OptionalInt seal(int limit) {
    return fixture
        .hashChains()
        .extend(limit, (entries, ends) -> ExtendHashChains.chainLinks(KEYS, entries, ends));
  }

  protected final void chainAll() {
    int chained = seal(PLENTY).orElseThrow();
    while (chained > 0) {
      chained = seal(PLENTY).orElseThrow();
    }
  }

  /** Returns all chained entries after a position. */
  protected final List<FeedEntry> walk(Selection selection, FeedPosition after, int limit) {
    List<FeedEntry> entries = new ArrayList<>();
    FeedPosition last = fixture.feed().end();
    FeedPosition position = after;
    while (position.compareTo(last) < 0) {
      Batch batch = fixture.feed().read(selection, position, last, limit);
      assertThat(batch.entries()).hasSizeLessThanOrEqualTo(limit);
      assertThat(batch.reached()).isGreaterThan(position);
      entries.addAll(batch.entries());
      position = batch.reached();
    }
    return entries;
  }

  protected static List<String> texts(List<FeedEntry> entries) {
    return entries.stream().map(FeedEntry::entry).map(ChainedLogContract::text).toList();
  }

  protected static String text(StoredEntry entry) {
    return entry.content().message();
  }

  protected static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> assertThat(refused.failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE));
  }

  private static final class ConstantLogKeys implements LogKeys {
    @Override
    public LogTag authenticate(Use use, byte[] content) {
      return new LogTag(1, new byte[32]);
    }

    @Override
    public boolean confirms(Use use, byte[] content, LogTag mac) {
      return true;
    }
  }
}
