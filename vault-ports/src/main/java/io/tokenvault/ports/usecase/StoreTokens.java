package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.spi.Expressions.Evaluator;
import io.tokenvault.ports.spi.NewToken;
import io.tokenvault.ports.spi.NewToken.Deduplication;
import io.tokenvault.ports.spi.TokenHash;
import io.tokenvault.ports.spi.TokenStore;
import io.tokenvault.ports.spi.TokenStore.Creation;
import io.tokenvault.ports.spi.TokenStore.Creation.Done;
import io.tokenvault.ports.spi.TokenStore.Creation.IdTaken;
import io.tokenvault.ports.spi.TokenStore.Creation.Stale;
import io.tokenvault.ports.spi.Versions;
import io.tokenvault.ports.usecase.TokenEvaluation.Evaluated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Stores what was checked, each token with its entry: all or none. */
final class StoreTokens {

  /** What is recorded where deduplication gives no token and makes none. */
  static final String COMPARED = "Tokens searched for equal data";

  private final TokenStore tokens;
  private final TokenContents contents;
  private final TokenDrafts drafts;
  private final CreatedViews views;

  StoreTokens(TokenStore tokens, TokenContents contents, TokenDrafts drafts, CreatedViews views) {
    this.tokens = tokens;
    this.contents = contents;
    this.drafts = drafts;
    this.views = views;
  }

  /**
   * Stores them, under other ids where aliases are taken.
   *
   * @param refusals by the standing at each time
   * @param need takes what tokens need that are given in place of new ones
   * @return empty if what was decided on does not hold any more
   */
  Optional<List<CreatedToken>> store(
      Evaluator evaluator,
      Caller caller,
      List<CheckedDraft> checked,
      Standing standing,
      Function<Standing, AuditTrail> refusals,
      AttemptReservation need) {
    List<CheckedDraft> wanted = new ArrayList<>(checked);
    Versions decidedOn = caller.versions().withNewest(caller.keys());
    while (true) {
      List<AccessTransform> transforms = decide(caller, wanted, refusals.apply(standing));
      List<NewToken> ready = wanted.stream().map(each -> newToken(caller, each)).toList();
      standing.settle();
      Creation creation = tokens.create(ready, decidedOn, AuditTrail::expiry, need.toLoad());
      if (creation instanceof Stale) {
        return Optional.empty();
      }
      if (creation instanceof IdTaken taken) {
        if (!wanted.get(taken.index()).draft().hasAlias()) {
          recordComparisons(caller, wanted, refusals.apply(standing));
        }
        wanted.set(taken.index(), drafts.withOtherId(evaluator, wanted.get(taken.index())));
      } else {
        return Optional.of(views.of(evaluator, caller, wanted, transforms, (Done) creation, need));
      }
    }
  }

  /** That an id is taken, and which, tells what data there is: what exists needs no free id. */
  private static void recordComparisons(
      Caller caller, List<CheckedDraft> wanted, AuditTrail trail) {
    List<AuditEntry> entries =
        wanted.stream()
            .map(CheckedDraft::draft)
            .filter(TokenDraft::isDeduplicated)
            .map(draft -> EntityType.of(draft.knownType()))
            .distinct()
            .map(
                type ->
                    AuditTrail.entry(
                        caller, type, AuditEntry.ALL_ENTITIES, Operation.SEARCH, COMPARED))
            .toList();
    if (!entries.isEmpty()) {
      trail.record(entries);
    }
  }

  private static List<AccessTransform> decide(
      Caller caller, List<CheckedDraft> wanted, AuditTrail refusals) {
    return wanted.stream()
        .map(
            each ->
                TokenDrafts.decideCreate(
                    caller, each.placed(), each.settings(), each.id(), refusals))
        .toList();
  }

  private NewToken newToken(Caller caller, CheckedDraft checked) {
    return new NewToken(
        checked.id(),
        caller.tenantId(),
        checked.draft().knownType(),
        checked.settings(),
        contents.seal(caller.keys(), checked.id(), checked.evaluated()),
        caller.id(),
        AuditTrail.entry(
            caller,
            EntityType.of(checked.draft().knownType()),
            checked.id(),
            Operation.CREATE,
            "Token created"),
        checked.draft().isDeduplicated()
            ? Optional.of(deduplication(caller, checked.evaluated()))
            : Optional.empty());
  }

  private Deduplication deduplication(Caller caller, Evaluated evaluated) {
    return new Deduplication(
        contents.fingerprints(caller.keys(), evaluated).stream()
            .map(TokenHash::hex)
            .collect(Collectors.toUnmodifiableSet()),
        token -> EveryContainer.decide(caller, Permission.TOKEN_CREATE, token.traits()).isAllowed(),
        token -> TokenDecisions.readEntry(caller, token));
  }
}
