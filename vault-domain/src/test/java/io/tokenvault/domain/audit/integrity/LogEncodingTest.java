package io.tokenvault.domain.audit.integrity;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.HexFormat;
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
import org.junit.jupiter.api.Test;

/**
 * Pins the encodings, since stored MACs, chain links and checkpoints depend on every byte, and
 * tests that different values have different encodings.
 */
final class LogEncodingTest {

  private static final UUID ID = new UUID(1, 2);
  private static final TenantId TENANT = new TenantId(new UUID(3, 4));
  private static final Instant TIME = Instant.ofEpochSecond(5, 6_000);
  private static final EntryPlace PLACE = new EntryPlace(TIME, 7);
  private static final LogHash HASH = new LogHash(new byte[32]);
  private static final EntryContent CONTENT =
      new EntryContent(
          TENANT,
          Optional.of(new UUID(8, 9)),
          Optional.of("a"),
          "t",
          "\u20ac",
          "o",
          "m",
          Optional.empty());

  /** Generates mostly two strings, so that values often differ only in where a string ends. */
  private static final Arbitrary<String> TEXTS =
      Arbitraries.frequencyOf(
          Tuple.of(9, Arbitraries.of("", "a")),
          Tuple.of(1, Arbitraries.strings().withChars("a\u0000\ud800\u20ac").ofMaxLength(3)));

  @Test
  void entryEncodingIsStable() {
    assertThat(hex(LogEncoding.entry(ID, CONTENT)))
        .isEqualTo(
            "000000180074006f006b0065006e002d007600610075006c00740020006c006f006700200065"
                + "006e007400720079002000760031000000000000000100000000000000020000000000000003"
                + "0000000000000004010000000000000008000000000000000901000000010061000000010074"
                + "0000000120ac00000001006f00000001006d");
  }

  @Test
  void rowEncodingIsStable() {
    StoredEntry marked =
        new StoredEntry(
            PLACE, CONTENT, Optional.of(new EntryMark(ID, new LogTag(10, new byte[] {11}))));
    assertThat(hex(LogEncoding.row(marked)))
        .isEqualTo(
            "000000160074006f006b0065006e002d007600610075006c00740020006c006f006700200072"
                + "006f007700200076003100000000000000050000177000000000000000070100000000000000"
                + "0100000000000000020000000a000000010b0000000000000003000000000000000401000000"
                + "00000000080000000000000009010000000100610000000100740000000120ac00000001006f"
                + "00000001006d");
  }

  @Test
  void chainLinkEncodingIsStable() {
    assertThat(hex(LogEncoding.chainLink(TENANT, 12, List.of(PLACE), HASH)))
        .isEqualTo(
            "000000170074006f006b0065006e002d007600610075006c00740020006c006f006700200073"
                + "00650061006c00200076003100000000000000030000000000000004000000000000000c0000"
                + "0001000000000000000500001770000000000000000700000020000000000000000000000000"
                + "0000000000000000000000000000000000000000");
  }

  @Test
  void dropEncodingIsStable() {
    assertThat(hex(LogEncoding.drop(YearMonth.of(2026, 11), 13, TIME)))
        .isEqualTo(
            "000000170074006f006b0065006e002d007600610075006c00740020006c006f006700200064"
                + "0072006f0070002000760031000007ea0000000b000000000000000d00000000000000050000"
                + "1770");
  }

  @Test
  void checkpointEncodingIsStable() {
    assertThat(
            hex(
                LogEncoding.checkpoint(
                    ID, 14, TIME, HASH, 15, List.of(new ChainEnd(TENANT, 16, HASH)))))
        .isEqualTo(
            "0000001d0074006f006b0065006e002d007600610075006c00740020006c006f006700200063"
                + "006800650063006b0070006f0069006e00740020007600310000000000000001000000000000"
                + "0002000000000000000e00000000000000050000177000000020000000000000000000000000"
                + "00000000000000000000000000000000000000000000000f0000000100000000000000030000"
                + "0000000000040000000000000010000000200000000000000000000000000000000000000000"
                + "000000000000000000000000");
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

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
