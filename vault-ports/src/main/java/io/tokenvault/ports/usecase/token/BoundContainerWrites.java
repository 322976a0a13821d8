package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessRule;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.TokenSelector.InContainer;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Caller;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Restricts the writes of a proxy invocation after data of a bound container was revealed to it.
 *
 * <p>It may then write data only, into containers that are bound at least as tightly. Every other
 * part of a token is stored, shown or logged in the clear, or determines how its data is shown. A
 * container's path is in the clear, too, so it must be one that already appears in a binding, a
 * rule, a type's default or a revealed token.
 */
final class BoundContainerWrites {

  private final AuditTrail trail;

  BoundContainerWrites(AuditTrail trail) {
    this.trail = trail;
  }

  /**
   * Checks a draft before any part of it, including its id, is recorded.
   *
   * @throws RefusedException if it may not be written, which is recorded
   */
  void requireCreatable(Caller caller, TokenDraft.Valid valid) {
    TokenDraft draft = valid.draft();
    TokenSettings settings = valid.settings();
    List<TokenTraits> revealed = boundRevealed(caller);
    if (revealed.isEmpty()) {
      return;
    }
    boolean onlyData =
        draft.id() == null
            && settings.metadata().isEmpty()
            && settings.expiresAt().isEmpty()
            && valid.expressions().isEmpty()
            && !draft.isDeduplicated();
    boolean places =
        draft.containers() == null || areKnown(caller, revealed, settings.containers());
    if (!onlyData || !places || frees(caller, revealed, settings)) {
      throw refused(
          caller, EntityType.APPLICATION, caller.id(), Operation.CREATE, "Token creation");
    }
  }

  /**
   * Checks a change after the token that it exposes counts as revealed, and before the caller's
   * expressions are evaluated on its data.
   *
   * @throws RefusedException if it may not be written, which is recorded
   */
  void requireChangeable(
      Caller caller, StoredToken stored, TokenPatch patch, TokenSettings settings) {
    List<TokenTraits> revealed = boundRevealed(caller);
    if (revealed.isEmpty()) {
      return;
    }
    Token token = stored.token();
    boolean onlyData =
        patch.metadata().isKeep() && patch.expiresAt().isKeep() && !patch.changesExpressions();
    boolean hides = patch.data().isKeep() || stored.expressions().isEmpty();
    boolean places = !patch.movesToken() || areKnown(caller, revealed, settings.containers());
    if (!onlyData || !hides || !places || frees(caller, revealed, settings)) {
      throw refused(
          caller, EntityType.of(token.type()), token.id(), Operation.UPDATE, "Token update");
    }
  }

  /** Returns the revealed tokens that are currently bound. */
  private static List<TokenTraits> boundRevealed(Caller caller) {
    return caller.target().stream()
        .flatMap(target -> target.disclosure().bound(caller.egress()).stream())
        .toList();
  }

  private static boolean frees(Caller caller, List<TokenTraits> revealed, TokenSettings settings) {
    TenantEgress egress = caller.egress();
    return revealed.stream()
        .anyMatch(
            token ->
                egress.frees(
                    token, new TokenTraits(token.id(), Set.copyOf(settings.containers()))));
  }

  private static boolean areKnown(
      Caller caller, List<TokenTraits> revealed, Collection<Container> containers) {
    Set<Container> known = new HashSet<>();
    caller.egress().bindings().stream().map(ContainerBinding::container).forEach(known::add);
    revealed.forEach(token -> known.addAll(token.containers()));
    for (TokenType type : TokenType.values()) {
      known.add(type.defaultContainer());
    }
    for (AccessRule rule : caller.application().policy().rules()) {
      if (rule.selector() instanceof InContainer in) {
        known.add(in.container());
      }
    }
    return known.containsAll(containers);
  }

  private RefusedException refused(
      Caller caller, EntityType type, Object id, Operation operation, String what) {
    trail.recordDenied(
        caller, List.of(AuditTrail.entry(caller, type, id, operation, what + " denied")));
    return new RefusedException(
        FailureCause.TOKENS_BOUND,
        "This invocation has read data of a restricted container. It can write only type, data"
            + " and containers of tokens, and no data of a token with a mask, search_indexes or a"
            + " fingerprint_expression. The containers must not allow more hosts, and must be"
            + " named by a restriction, a rule of the proxy's application, a type's default, or a"
            + " token that it read.");
  }
}
