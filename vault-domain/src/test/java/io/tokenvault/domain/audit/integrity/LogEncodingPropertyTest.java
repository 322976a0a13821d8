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
import net.jqwik.api.Tuple.Tuple2;

/** No two different things have the same bytes. */
final class LogEncodingPropertyTest {

  /** Few ids and short texts, so that things differ by where one text ends and the next begins. */
  @Provide
  Arbitrary<EntryContent> contents() {
    Arbitrary<String> texts =
        Arbitraries.strings().withChars("ab\u0000\ud800\u20ac").ofMaxLength(3);
    return Combinators.combine(
            ids(),
            ids().optional(0.5),
            texts.optional(0.5),
            texts,
            texts,
            texts,
            texts,
            texts.optional(0.5))
        .as(
            (tenant, actor, actorType, type, entity, operation, message, traceId) ->
                new EntryContent(
                    new TenantId(tenant),
                    actor,
                    actorType,
                    type,
                    entity,
                    operation,
                    message,
                    traceId));
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
    return Combinators.combine(
            places(), contents().map(LogEncodingPropertyTest::withoutTraceId), marks.optional(0.7))
        .as(StoredEntry::new);
  }

  /** Of an entry with a trace id, the row has the MAC that covers it. */
  private static EntryContent withoutTraceId(EntryContent content) {
    return new EntryContent(
        content.tenantId(),
        content.actorId(),
        content.actorType(),
        content.entityType(),
        content.entityId(),
        content.operation(),
        content.message(),
        Optional.empty());
  }

  @Provide
  Arbitrary<Tuple2<EntryContent, EntryContent>> pairsOfContents() {
    return Combinators.combine(contents(), contents()).as(Tuple::of);
  }

  @Property
  void entryMacInputIsUniqueToIdAndContent(
      @ForAll("ids") UUID oneId,
      @ForAll("ids") UUID otherId,
      @ForAll("pairsOfContents") Tuple2<EntryContent, EntryContent> pair) {
    boolean same = oneId.equals(otherId) && pair.get1().equals(pair.get2());
    assertThat(
            Arrays.equals(
                LogEncoding.entry(oneId, pair.get1()), LogEncoding.entry(otherId, pair.get2())))
        .isEqualTo(same);
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
    TenantId tenant = new TenantId(new UUID(0, 0));
    ChainEnd end = ChainEnd.none(tenant);
    LogHash head = new ChainLinkDigest(end, 2).add(one).add(other).head();
    assertThat(new ChainLinkDigest(end, 2).add(one).add(other).head()).isEqualTo(head);
    assertThat(new ChainLinkDigest(end, 2).add(other).add(one).head().equals(head))
        .isEqualTo(one.equals(other));
    assertThat(new ChainLinkDigest(end, 1).add(one).head()).isNotEqualTo(head);
    assertThat(
            new ChainLinkDigest(new ChainEnd(tenant, 1, LogHash.NONE), 2)
                .add(one)
                .add(other)
                .head())
        .isNotEqualTo(head);
    assertThat(new ChainLinkDigest(new ChainEnd(tenant, 0, head), 2).add(one).add(other).head())
        .isNotEqualTo(head);
  }

  @Property
  void chainLinkMacInputIsUniqueToOneChainLink(
      @ForAll("places") EntryPlace one, @ForAll("places") EntryPlace other) {
    TenantId tenant = new TenantId(new UUID(0, 0));
    byte[] bytes = LogEncoding.chainLink(tenant, 1, List.of(one, other), LogHash.NONE);
    assertThat(
            Arrays.equals(
                LogEncoding.chainLink(tenant, 1, List.of(other, one), LogHash.NONE), bytes))
        .isEqualTo(one.equals(other));
    assertThat(LogEncoding.chainLink(tenant, 2, List.of(one, other), LogHash.NONE))
        .isNotEqualTo(bytes);
    assertThat(LogEncoding.chainLink(tenant, 1, List.of(one), LogHash.NONE)).isNotEqualTo(bytes);
    assertThat(
            LogEncoding.chainLink(
                new TenantId(new UUID(0, 1)), 1, List.of(one, other), LogHash.NONE))
        .isNotEqualTo(bytes);
  }
}
