package io.tokenvault.ports.contract.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.FeedPosition;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed.Selection;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Contract tests for {@link HashChainStore}. */
public abstract class HashChainStoreContract extends ChainedLogContract {

  private HashChainStore hashChains() {
    return fixture.hashChains();
  }

  private Optional<ChainEnd> end(TenantId id) {
    return hashChains().ends().chains().stream()
        .filter(end -> end.tenantId().equals(id))
        .findFirst();
  }

  private List<String> chainedMessages(TenantId id) {
    return texts(
        walk(
            new Selection(Optional.of(id), Optional.empty(), Optional.empty()),
            FeedPosition.START,
            100));
  }

  @Test
  void everyEntryIsChainedOnceInTenantOrder() {
    record(tenant, "1", "2");
    record(other, "3");
    record(tenant, "4");
    List<StoredEntry> received = new ArrayList<>();

    OptionalInt count =
        hashChains()
            .extend(
                PLENTY,
                (entries, ends) -> {
                  received.addAll(entries);
                  return ExtendHashChains.chainLinks(KEYS, entries, ends);
                });

    assertThat(count).hasValue(4);
    assertThat(received.stream().map(ChainedLogContract::text))
        .containsExactlyInAnyOrder("1", "2", "3", "4");
    assertThat(seal(PLENTY)).hasValue(0);
    assertThat(chainedMessages(tenant)).containsExactly("1", "2", "4");
    assertThat(chainedMessages(other)).containsExactly("3");
  }

  @Test
  void roundRespectsLimitAndNextRoundContinues() {
    record(tenant, "1", "2", "3", "4", "5");

    assertThat(seal(2)).hasValue(2);
    assertThat(seal(2)).hasValue(2);
    assertThat(seal(2)).hasValue(1);
    assertThat(seal(2)).hasValue(0);

    assertThat(chainedMessages(tenant)).containsExactly("1", "2", "3", "4", "5");
    assertThat(end(tenant).orElseThrow().number()).isEqualTo(3);
  }

  @Test
  void chainContinuesFromKnownEnd() {
    assertThat(end(tenant)).isEmpty();
    record(tenant, "1");
    assertThat(seal(PLENTY)).hasValue(1);
    ChainEnd first = end(tenant).orElseThrow();
    record(tenant, "2");
    record(other, "3");
    List<Map<TenantId, ChainEnd>> receivedEnds = new ArrayList<>();
    List<ChainLink> links = new ArrayList<>();

    assertThat(
            hashChains()
                .extend(
                    PLENTY,
                    (entries, ends) -> {
                      receivedEnds.add(ends);
                      links.addAll(ExtendHashChains.chainLinks(KEYS, entries, ends));
                      return links;
                    }))
        .hasValue(2);

    assertThat(receivedEnds).hasSize(1);
    assertThat(receivedEnds.get(0)).containsEntry(tenant, first);
    ChainLink second =
        links.stream().filter(link -> link.tenantId().equals(tenant)).findFirst().orElseThrow();
    assertThat(end(tenant)).contains(new ChainEnd(tenant, 2, second.head()));
    assertThat(end(other).orElseThrow().number()).isEqualTo(1);
  }

  @Test
  void failedRoundStoresNothing() {
    record(tenant, "1");

    assertThatThrownBy(
            () ->
                hashChains()
                    .extend(
                        PLENTY,
                        (entries, ends) -> {
                          throw new IllegalStateException("on purpose");
                        }))
        .hasMessage("on purpose");

    assertThat(end(tenant)).isEmpty();
    assertThat(seal(PLENTY)).hasValue(1);
    assertThat(chainedMessages(tenant)).containsExactly("1");
  }

  @Test
  void whileOneChainsAnotherDoesNot() {
    record(tenant, "1");

    assertThat(
            hashChains()
                .extend(
                    PLENTY,
                    (entries, ends) -> {
                      assertThat(CompletableFuture.supplyAsync(this::chainElsewhere).join())
                          .isEmpty();
                      return ExtendHashChains.chainLinks(KEYS, entries, ends);
                    }))
        .hasValue(1);

    assertThat(chainedMessages(tenant)).containsExactly("1");
  }

  private OptionalInt chainElsewhere() {
    return fixture
        .hashChainsOfAnotherNode()
        .extend(PLENTY, (entries, ends) -> ExtendHashChains.chainLinks(KEYS, entries, ends));
  }

  @Test
  void concurrentRoundsChainEachEntryOnce() {
    List<Integer> counts =
        Race.run(
            i -> {
              record(tenant, "entry " + i);
              return seal(3).orElse(0);
            });
    chainAll();

    assertThat(counts).allSatisfy(count -> assertThat(count).isBetween(0, 3));
    assertThat(chainedMessages(tenant)).hasSize(Race.RUNNERS).doesNotHaveDuplicates();
  }

  @Test
  void tenantsWithEntriesAreListedWhetherChainedOrNot() {
    assertThat(hashChains().tenants()).doesNotContain(tenant, other);
    record(tenant, "1");
    chainAll();
    record(other, "2");

    assertThat(hashChains().tenants()).contains(tenant, other);
  }

  @Test
  void brokenConnectionReportsUnavailable() {
    fixture.breakConnection();

    assertUnavailable(() -> seal(PLENTY));
    assertUnavailable(() -> hashChains().ends());
    assertUnavailable(() -> hashChains().tenants());
  }
}
