package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.Vault.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.permission.ApplicationType;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.Room;
import io.tokenvault.ports.usecase.WorkingMemory.Share;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How much memory requests may take together, and that what shows tokens asks for it first. */
final class WorkingMemoryTest {

  private final Vault vault = new Vault();
  private final Caller caller =
      vault.caller(
          ApplicationType.PRIVATE,
          Permission.TOKEN_READ,
          Permission.TOKEN_SEARCH,
          Permission.TOKEN_UPDATE);

  @Test
  void whatOthersHaveIsNotGivenTwice() {
    WorkingMemory memory = new WorkingMemory(100);
    Share first = memory.open();
    Share second = memory.open();
    first.take(60);

    assertRefused(FailureCause.OVERLOADED, () -> second.take(41));
    second.take(40);
    assertRefused(FailureCause.OVERLOADED, () -> first.take(1));

    first.close();
    first.close();
    second.take(60);
    assertRefused(FailureCause.OVERLOADED, () -> first.take(1));
  }

  @Test
  void whatCanNeverBeGivenIsNotInvitedToBeTriedAgain() {
    Share share = new WorkingMemory(100).open();
    share.take(60);

    assertRefused(FailureCause.BODY_TOO_LARGE, () -> share.take(41));
    assertRefused(FailureCause.BODY_TOO_LARGE, () -> share.take(Long.MAX_VALUE));
    share.take(40);
  }

  @Test
  void threadsTogetherGetNoMoreThanThereIs() {
    WorkingMemory memory = new WorkingMemory(1000);
    AtomicLong held = new AtomicLong();

    IntStream.range(0, 20_000)
        .parallel()
        .forEach(
            i -> {
              try (Share share = memory.open()) {
                share.take(400);
                assertThat(held.addAndGet(400)).isLessThanOrEqualTo(1000);
                held.addAndGet(-400);
              } catch (RefusedException full) {
                assertThat(full.failure()).isEqualTo(FailureCause.OVERLOADED);
              }
            });

    memory.open().take(1000);
  }

  @Test
  void whatShowsATokenAsksForTheRoomBeforeItIsRecordedAsReadAndOpened() {
    TokenId id = vault.token("/general/", "some data");
    List<Consumer<Room>> shows =
        List.of(
            room -> vault.tokens.find(caller, id, room),
            room -> vault.tokens.list(caller, TokenQuery.everything(), new PageRequest(1, 9), room),
            room ->
                vault.tokens.search(caller, TokenQuery.everything(), new PageRequest(1, 9), room),
            room -> vault.tokens.detokenize(caller, Draft.json("\"{{" + id.value() + "}}\""), room),
            room ->
                vault.changing.change(
                    caller, id, new Patch().metadata("a", "b").toPatch(), new Violations(), room));
    for (Consumer<Room> show : shows) {
      int opened = vault.sealer.opened();
      List<String> recorded = recorded();

      assertRefused(FailureCause.BODY_TOO_LARGE, () -> show.accept(new WorkingMemory(10).open()));

      assertThat(vault.sealer.opened()).isEqualTo(opened);
      assertThat(recorded()).isEqualTo(recorded);
      show.accept(new WorkingMemory(1000).open());
    }
  }

  /** Without lists and searches: that there is too much tells what there is. */
  private List<String> recorded() {
    return vault.messages().stream().filter(each -> !each.startsWith("Tokens ")).toList();
  }

  @Test
  void whatIsDecidedAnewTakesItsRoomOnce() {
    TokenId id = vault.token("/general/", "some data");
    AtomicLong once = new AtomicLong();
    vault.tokens.find(caller, id, once::addAndGet);
    AtomicLong anew = new AtomicLong();
    vault.recorder.sayStale(3);

    vault.tokens.find(caller, id, anew::addAndGet);

    assertThat(anew.get()).isEqualTo(once.get()).isPositive();
  }
}
