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
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.token.Token;
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
import java.util.Map;
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
    Change change = new Change(present, stored, settings, valid.patch(), old);
    requireMayChange(change);
    if (change.evaluatesStored() && !tokenDecryptor.recordEvaluation(present, stored.token())) {
      return Optional.empty();
    }
    TokenContent content = change.newContent();
    Optional<EncryptedContent> encrypted =
        change.evaluates() ? Optional.of(encrypt(evaluator, change, content)) : Optional.empty();
    Showing showing = showing(change, updated, content);
    return store(change, content, encrypted, showing.transform())
        .map(
            after ->
                evaluation.view(evaluator, after.token(), showing.content(), showing.transform()));
  }

  /** Checks the rights that the change needs beyond {@code token:update}. */
  private void requireMayChange(Change change) {
    Caller caller = change.caller();
    if (change.exposesMore()) {
      requireMayUnmask(caller, change.token());
      // Errors of the new expressions can reveal data, and so can everything that the invocation
      // does after the change.
      TokenDecisions.disclose(caller, List.of(change.token()));
    }
    boundContainerWrites.requireChangeable(
        caller, change.stored(), change.patch(), change.settings());
  }

  /**
   * Stores the change with its audit entries.
   *
   * @param shown the transform of the data in the response
   * @return empty if the token has another version by now
   */
  private Optional<StoredToken> store(
      Change change,
      TokenContent content,
      Optional<EncryptedContent> encrypted,
      AccessTransform shown) {
    Caller caller = change.caller();
    Token token = change.token();
    boolean reveals = shown == AccessTransform.REVEAL;
    if (reveals) {
      decisions.requireMayLeave(caller, List.of(token));
    }
    TokenUpdate update =
        new TokenUpdate(
            change.settings(),
            encrypted,
            contents.keepsShortLived(token.type(), change.old().data(), content.data()),
            caller.id());
    Optional<StoredToken> after =
        tokens.update(
            caller.tenantId(), token.id(), token.version(), update, entries(caller, token, shown));
    if (reveals && after.isPresent()) {
      TokenDecisions.disclose(caller, List.of(token));
    }
    return after;
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

  /** Evaluates and encrypts new content. An evaluation of stored content has been recorded. */
  private EncryptedContent encrypt(Evaluator evaluator, Change change, TokenContent content) {
    Token token = change.token();
    Map<String, String> metadata = change.settings().metadata();
    Violations violations = new Violations();
    token.type().check(content.data(), violations);
    violations.throwIfAny();
    evaluation.checkSize(content, violations);
    violations.throwIfAny();
    Optional<Evaluated> evaluated =
        change.evaluatesStored()
            ? evaluation.evaluateStored(evaluator, token.type(), metadata, content, violations)
            : evaluation.evaluate(evaluator, token.type(), metadata, content, violations);
    violations.throwIfAny();
    return contents.encrypt(change.caller().keys(), token.id(), evaluated.orElseThrow());
  }

  /**
   * Returns the weaker transform of update and read. Without read, it is at most the mask as
   * defined before the change.
   */
  private static Showing showing(Change change, AccessTransform updated, TokenContent content) {
    return change
        .caller()
        .authority()
        .transform(Permission.TOKEN_READ, change.settings().traits(change.token().id()))
        .map(read -> new Showing(updated.weaker(read), content))
        .orElseGet(
            () ->
                new Showing(
                    updated.weaker(AccessTransform.MASK),
                    new TokenContent(content.data(), change.old().expressions())));
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

  /** A change that the caller may make, and the token and content that it changes. */
  private record Change(
      Caller caller,
      StoredToken stored,
      TokenSettings settings,
      TokenPatch patch,
      TokenContent old) {

    Token token() {
      return stored.token();
    }

    /** Returns whether the caller could see, search or use more of the old data than before. */
    boolean exposesMore() {
      return (patch.changesExpressions() && patch.keepsSomeOf(old.data()))
          || (patch.movesToken() && gains(caller, token().traits(), settings.traits(token().id())));
    }

    /** Returns whether data, or a value derived from it, may change. */
    boolean evaluates() {
      return patch.changesContent()
          || (TokenEvaluation.usesMetadata(old.expressions())
              && !settings.metadata().equals(token().settings().metadata()));
    }

    /** Returns whether the evaluation uses data or expressions of the stored token. */
    boolean evaluatesStored() {
      return evaluates() && (patch.mayKeepData() || stored.expressions().isPresent());
    }

    /** Merges the patch into the content. Its errors depend on stored data. */
    TokenContent newContent() {
      return new TokenContent(patch.applyToData(old.data()), patch.applyTo(old.expressions()));
    }
  }

  private record Showing(AccessTransform transform, TokenContent content) {}
}
