package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenExpressions;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenPatch;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.LookupResult;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.TokenUpdate;
import io.tokenvault.ports.store.model.EncryptedContent;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Updates tokens. An update applies only to the version that it was decided on, and is otherwise
 * decided again: of two concurrent updates, none is lost.
 */
public final class ChangeTokens {

  public static final Requirement UPDATE = Requirement.anyOf(Permission.TOKEN_UPDATE);

  private final TokenStore tokens;
  private final RequestLookup lookup;
  private final TokenContents contents;
  private final TokenEvaluation evaluation;
  private final TokenDecryptor tokenDecryptor;
  private final Authenticator authenticator;
  private final AuditTrail trail;
  private final BoundContainerWrites boundContainerWrites;
  private final TokenDecisions decisions;

  public ChangeTokens(
      TokenStore tokens,
      RequestLookup lookup,
      TokenContents contents,
      TokenDecryptor tokenDecryptor,
      Authenticator authenticator,
      AuditRecorder recorder) {
    this.tokens = tokens;
    this.lookup = lookup;
    this.contents = contents;
    this.evaluation = contents.evaluation();
    this.tokenDecryptor = tokenDecryptor;
    this.authenticator = authenticator;
    this.trail = new AuditTrail(recorder);
    this.decisions = new TokenDecisions(trail);
    this.boundContainerWrites = new BoundContainerWrites(trail);
  }

  /**
   * Updates a token.
   *
   * <p>The caller needs {@code token:update} on every container of the token before and after the
   * change, and a {@code token:read} that reveals the data if the change could show the caller more
   * of it than before.
   *
   * @param expected the version that the token must have
   * @param violations those found while parsing the patch; reported together with all others
   * @param reservation the memory reservation for the token and the response
   * @return the token as the caller may see it
   * @throws RefusedException if the token does not exist, has another version, or the caller lacks
   *     a permission
   */
  public TokenView change(
      Caller caller,
      TokenId id,
      TokenPatch patch,
      ExpectedVersion expected,
      Violations violations,
      MemoryReservation reservation) {
    trail.require(caller, UPDATE);
    TokenPatch.Valid valid = violations.require(patch.parse(caller.now(), violations));
    Evaluator evaluator = evaluation.evaluator();
    evaluation.check(evaluator, patch).throwIfAny();
    AttemptReservation memory = AttemptReservation.toShow(reservation);
    return OptimisticExecutor.repeatWhileOutdated(
        () -> tryChange(evaluator, caller, id, valid, expected, memory));
  }

  /** Updates a token regardless of its version and without a memory limit. */
  public TokenView change(Caller caller, TokenId id, TokenPatch patch, Violations violations) {
    return change(caller, id, patch, ExpectedVersion.ANY, violations, MemoryReservation.UNBOUNDED);
  }

  private Optional<TokenView> tryChange(
      Evaluator evaluator,
      Caller caller,
      TokenId id,
      TokenPatch.Valid valid,
      ExpectedVersion expected,
      AttemptReservation memory) {
    TokenPatch patch = valid.patch();
    evaluator.startOver();
    LookupResult loaded = lookup.load(caller.with(Set.of(id)), memory.toLoad());
    Caller present = authenticator.reload(caller, loaded);
    StoredToken stored =
        Optional.ofNullable(loaded.tokens().get(id)).orElseThrow(RefusedException::notFound);
    Violations violations = new Violations();
    TokenSettings settings =
        valid.applyTo(stored.token().type(), stored.token().settings(), violations);
    AccessTransform updated = decideUpdate(present, stored.token(), settings);
    expected.require(stored.token().version());
    violations.throwIfAny();
    TokenContent old = tokenDecryptor.contentToChange(present, stored, memory);
    if (exposesMore(present, stored.token(), settings, patch, old.data())) {
      requireMayUnmask(present, stored.token());
      // Errors of the new expressions can reveal data, and so can everything that the invocation
      // does after the change.
      TokenDecisions.disclose(present, List.of(stored.token()));
    }
    boundContainerWrites.requireChangeable(present, stored, patch, settings);
    boolean evaluates = evaluates(patch, stored.token(), settings, old.expressions());
    boolean ofStored = evaluates && (patch.mayKeepData() || stored.expressions().isPresent());
    if (ofStored && !tokenDecryptor.recordEvaluation(present, stored.token())) {
      return Optional.empty();
    }
    TokenContent content =
        new TokenContent(patch.applyToData(old.data()), patch.applyTo(old.expressions()));
    Optional<EncryptedContent> encrypted =
        evaluates
            ? Optional.of(encrypt(evaluator, present, stored.token(), settings, content, ofStored))
            : Optional.empty();
    Showing showing = showing(present, settings.traits(id), updated, old, content);
    boolean reveals = showing.transform() == AccessTransform.REVEAL;
    if (reveals) {
      decisions.requireMayLeave(present, List.of(stored.token()));
    }
    return tokens
        .update(
            present.tenantId(),
            id,
            stored.token().version(),
            new TokenUpdate(
                settings,
                encrypted,
                contents.keepsShortLived(stored.token().type(), old.data(), content.data()),
                present.id()),
            entries(present, stored.token(), showing.transform()))
        .map(
            after -> {
              if (reveals) {
                TokenDecisions.disclose(present, List.of(stored.token()));
              }
              return evaluation.view(
                  evaluator, after.token(), showing.content(), showing.transform());
            });
  }

  private AccessTransform decideUpdate(Caller caller, Token token, TokenSettings settings) {
    Set<Container> all = new HashSet<>(token.settings().containers());
    all.addAll(settings.containers());
    TokenTraits traits = new TokenTraits(token.id().value(), all);
    Optional<AccessTransform> allowed =
        caller.authority().transform(Permission.TOKEN_UPDATE, traits);
    if (allowed.isPresent()) {
      return allowed.get();
    }
    throw denied(
        caller,
        token,
        "An update requires token:update on all current and new containers of the token; the API"
            + " key does not permit it in "
            + TokenDecisions.missingContainers(caller, Permission.TOKEN_UPDATE, traits)
            + ".");
  }

  /** Returns whether a change could let the caller see, search or use more of the old data. */
  private static boolean exposesMore(
      Caller caller, Token token, TokenSettings settings, TokenPatch patch, JsonValue oldData) {
    return (patch.changesExpressions() && patch.keepsSomeOf(oldData))
        || (patch.movesToken() && gains(caller, token.traits(), settings.traits(token.id())));
  }

  private void requireMayUnmask(Caller caller, Token token) {
    if (TokenDecisions.readTransform(caller, token) != AccessTransform.REVEAL) {
      throw denied(
          caller,
          token,
          "Changing mask, search_indexes or fingerprint_expression without replacing the data, or"
              + " moving a token where more of its data can be seen or used, requires a"
              + " token:read that reveals it.");
    }
    decisions.requireMayLeave(caller, List.of(token));
  }

  private static boolean gains(Caller caller, TokenTraits before, TokenTraits after) {
    return seesMore(caller, before, after) || caller.egress().frees(before, after);
  }

  private static boolean seesMore(Caller caller, TokenTraits before, TokenTraits after) {
    return Stream.of(
                Permission.TOKEN_READ,
                Permission.TOKEN_SEARCH,
                Permission.TOKEN_USE,
                Permission.TOKEN_UPDATE)
            .anyMatch(
                permission ->
                    strength(caller, permission, after) > strength(caller, permission, before))
        || TokenDecisions.listTransform(caller, after)
                .compareTo(TokenDecisions.listTransform(caller, before))
            > 0;
  }

  /**
   * Returns how much a permission shows: using a token yields raw data whatever the transform;
   * other permissions show what the transform permits.
   */
  private static int strength(Caller caller, Permission permission, TokenTraits token) {
    return caller
        .authority()
        .transform(permission, token)
        .map(shown -> permission == Permission.TOKEN_USE ? 0 : shown.ordinal())
        .orElse(-1);
  }

  private RefusedException denied(Caller caller, Token token, String detail) {
    return trail.recordRefusal(
        caller, EntityType.of(token.type()), token.id(), Operation.UPDATE, "Token update", detail);
  }

  /** Returns whether data, or a value derived from it, may change. */
  private static boolean evaluates(
      TokenPatch patch, Token token, TokenSettings settings, TokenExpressions old) {
    return patch.changesContent()
        || (TokenEvaluation.usesMetadata(old)
            && !settings.metadata().equals(token.settings().metadata()));
  }

  /**
   * Evaluates and encrypts new content.
   *
   * @param ofStored whether stored content is evaluated, which was recorded
   */
  private EncryptedContent encrypt(
      Evaluator evaluator,
      Caller caller,
      Token token,
      TokenSettings settings,
      TokenContent content,
      boolean ofStored) {
    Violations violations = new Violations();
    token.type().check(content.data(), violations);
    violations.throwIfAny();
    evaluation.checkSize(content, violations);
    violations.throwIfAny();
    Optional<Evaluated> evaluated =
        ofStored
            ? evaluation.evaluateStored(
                evaluator, token.type(), settings.metadata(), content, violations)
            : evaluation.evaluate(
                evaluator, token.type(), settings.metadata(), content, violations);
    violations.throwIfAny();
    return contents.encrypt(caller.keys(), token.id(), evaluated.orElseThrow());
  }

  /**
   * Returns the weaker transform of update and read. Without read, it is at most the mask as
   * defined before the change.
   */
  private static Showing showing(
      Caller caller,
      TokenTraits token,
      AccessTransform updated,
      TokenContent old,
      TokenContent content) {
    return caller
        .authority()
        .transform(Permission.TOKEN_READ, token)
        .map(read -> new Showing(updated.weaker(read), content))
        .orElseGet(
            () ->
                new Showing(
                    updated.weaker(AccessTransform.MASK),
                    new TokenContent(content.data(), old.expressions())));
  }

  private static List<AuditEntry> entries(Caller caller, Token token, AccessTransform shown) {
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(
        AuditTrail.entry(
            caller, EntityType.of(token.type()), token.id(), Operation.UPDATE, "Token updated"));
    if (shown == AccessTransform.REVEAL) {
      entries.add(TokenDecisions.readEntry(caller, token));
    }
    return entries;
  }

  private record Showing(AccessTransform transform, TokenContent content) {}
}
