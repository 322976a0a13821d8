package io.tokenvault.domain.audit.integrity;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Tests that different values have different encodings. */
final class LogEncodingPropertyTest {

  private static final TenantId TENANT = new TenantId(new UUID(0, 0));

  /** Generates mostly two strings, so that values often differ only in where a string ends. */
  private static final Arbitrary<String> TEXTS =
      Arbitraries.frequencyOf(
          Tuple.of(9, Arbitraries.of("", "a")),
          Tuple.of(1, Arbitraries.strings().withChars("a\u0000\ud800\u20ac").ofMaxLength(3)));

  @Provide
  Arbitrary<EntryContent> contents() {
    return contents(TEXTS.optional(0.5));
  }

  private Arbitrary<EntryContent> contents(Arbitrary<Optional<String>> traceIds) {
    return Combinators.combine(
            ids().map(TenantId::new),
            ids().optional(0.5),
            TEXTS.optional(0.5),
            TEXTS,
            TEXTS,
            TEXTS,
            TEXTS,
            traceIds)
        .as(EntryContent::new);
  }

  @Provide
  Arbitrary<UUID> ids() {
    return Arbitraries.longs().between(0, 1).map(low -> new UUID(0, low));
  }

  @Provide
  Arbitrary<EntryPlace> places() {
    Arbitrary<Instant> times =
        Arbitraries.longs().between(-1, 1).map(micros -> Instant.EPOCH.plusNanos(micros * 1000));
    return Combinators.combine(times, Arbitraries.longs().between(0, 2)).as(EntryPlace::new);
  }

  @Provide
  Arbitrary<StoredEntry> entries() {
    Arbitrary<LogTag> tags =
        Combinators.combine(
                Arbitraries.integers().between(0, 1),
                Arbitraries.bytes().array(byte[].class).ofMaxSize(2))
            .as(LogTag::new);
    Arbitrary<EntryMark> marks = Combinators.combine(ids(), tags).as(EntryMark::new);
    // Rows do not encode the trace id; the MAC of the entry covers it.
    return Combinators.combine(
            places(), contents(Arbitraries.just(Optional.empty())), marks.optional(0.7))
        .as(StoredEntry::new);
  }

  @Property
  void entryMacInputIsUniqueToIdAndContent(
      @ForAll("ids") UUID oneId,
      @ForAll("ids") UUID otherId,
      @ForAll("contents") EntryContent one,
      @ForAll("contents") EntryContent other) {
    assertThat(Arrays.equals(LogEncoding.entry(oneId, one), LogEncoding.entry(otherId, other)))
        .isEqualTo(oneId.equals(otherId) && one.equals(other));
  }

  @Property
  void chainLinkHeadInputIsUniqueToOneRow(
      @ForAll("entries") StoredEntry one, @ForAll("entries") StoredEntry other) {
    assertThat(Arrays.equals(LogEncoding.row(one), LogEncoding.row(other)))
        .isEqualTo(one.equals(other));
  }

  @Property
  void headIsUniqueToChainAndItsEntriesInOrder(
      @ForAll("entries") StoredEntry one, @ForAll("entries") StoredEntry other) {
    ChainEnd end = ChainEnd.none(TENANT);
    LogHash head = head(end, one, other);
    assertThat(head(end, one, other)).isEqualTo(head);
    assertThat(head(end, other, one).equals(head)).isEqualTo(one.equals(other));
    assertThat(new ChainLinkDigest(end, 1).add(one).head()).isNotEqualTo(head);
    assertThat(head(new ChainEnd(TENANT, 1, LogHash.NONE), one, other)).isNotEqualTo(head);
    assertThat(head(new ChainEnd(TENANT, 0, head), one, other)).isNotEqualTo(head);
  }

  private static LogHash head(ChainEnd end, StoredEntry first, StoredEntry second) {
    return new ChainLinkDigest(end, 2).add(first).add(second).head();
  }

  @Property
  void chainLinkMacInputIsUniqueToOneChainLink(
      @ForAll("places") EntryPlace one, @ForAll("places") EntryPlace other) {
    TenantId another = new TenantId(new UUID(0, 1));
    byte[] bytes = chainLink(TENANT, 1, one, other);
    assertThat(Arrays.equals(chainLink(TENANT, 1, other, one), bytes)).isEqualTo(one.equals(other));
    assertThat(chainLink(TENANT, 2, one, other)).isNotEqualTo(bytes);
    assertThat(chainLink(TENANT, 1, one)).isNotEqualTo(bytes);
    assertThat(chainLink(another, 1, one, other)).isNotEqualTo(bytes);
  }

  private static byte[] chainLink(TenantId tenant, long number, EntryPlace... places) {
    return LogEncoding.chainLink(tenant, number, List.of(places), LogHash.NONE);
  }
}
