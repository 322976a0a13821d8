package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.Creation.IdTaken;
import io.tokenvault.ports.store.TokenStore.Creation.Stale;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.NewToken.Deduplication;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.store.model.StoredToken;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.AuthenticatedCaller;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.CachedCaller;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor;
import io.tokenvault.ports.usecase.authorization.OptimisticExecutor.AttemptReservation;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.authorization.TokenDecisions;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Creates tokens, one or several at once: all or none, each with its audit entry. */
public final class CreateTokens {

  public static final Requirement CREATE = Requirement.anyOf(Permission.TOKEN_CREATE);

  /** The maximum number of tokens per call. */
  public static final int MAX_TOKENS = 100;

  /** The audit message where deduplication neither returned nor created a token. */
  private static final String COMPARED = "Tokens searched for equal data";

  private static final int MAX_ALIASES = 10;

  private final TokenStore tokens;
  private final TokenContents contents;
  private final TokenEvaluation evaluation;
  private final TokenDecryptor tokenDecryptor;
  private final BoundContainerWrites boundContainerWrites;
  private final Authenticator authenticator;
  private final AuditTrail trail;

  public CreateTokens(
      TokenStore tokens,
      TokenContents contents,
      TokenDecryptor tokenDecryptor,
      Authenticator authenticator,
      AuditRecorder recorder) {
    this.tokens = tokens;
    this.contents = contents;
    this.evaluation = contents.evaluation();
    this.tokenDecryptor = tokenDecryptor;
    this.authenticator = authenticator;
    this.trail = new AuditTrail(recorder);
    this.boundContainerWrites = new BoundContainerWrites(trail);
  }

  /**
   * Creates a token, or returns one of equal type and content if the draft asks for deduplication.
   * The caller needs {@code token:create} on every container of the token.
   *
   * @param known violations found while parsing the draft; reported together with all others
   * @param memory the memory reservation for an existing token that is returned
   * @throws RefusedException if the id is taken, or if the caller lacks the permission (recorded)
   */
  public CreatedToken create(
      AuthenticatedCaller caller, TokenDraft draft, Violations known, MemoryReservation memory) {
    return createAll(caller, List.of(draft), List.of(""), known, memory).get(0);
  }

  /** Creates a token without a memory limit. */
  public CreatedToken create(AuthenticatedCaller caller, TokenDraft draft, Violations known) {
    return create(caller, draft, known, MemoryReservation.UNBOUNDED);
  }

  /**
   * Creates several tokens: all or none.
   *
   * @param drafts at most {@link #MAX_TOKENS}
   * @param paths the path of each draft, for violations; empty for the whole request
   * @param known violations found while parsing the drafts; reported together with all others
   * @param memory the memory reservation for existing tokens that are returned
   * @return a result for each draft, in their order
   */
  public List<CreatedToken> createAll(
      AuthenticatedCaller caller,
      List<TokenDraft> drafts,
      List<String> paths,
      Violations known,
      MemoryReservation memory) {
    if (drafts.size() > MAX_TOKENS) {
      throw new RefusedException(
          FailureCause.TOO_MANY_TOKENS, "A request may create at most " + MAX_TOKENS + " tokens.");
    }
    Batch batch = new Batch(drafts, paths, known, AttemptReservation.toShow(memory));
    return createOnCache(batch, caller)
        .orElseGet(() -> createOnCurrent(batch, authenticator.confirm(caller)));
  }

  /** Creates the tokens on cached data; empty if none was stored and all must be decided again. */
  private static Optional<List<CreatedToken>> createOnCache(
      Batch batch, AuthenticatedCaller authenticated) {
    if (!(authenticated instanceof CachedCaller cached)
        || !cached.caller().isProvisional()
        || batch.drafts.stream().anyMatch(TokenDraft::isDeduplicated)) {
      return Optional.empty();
    }
    Caller caller = cached.caller();
    try {
      return batch.tryCreate(caller);
    } catch (VaultException refused) {
      if (caller.isProvisional()) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  private List<CreatedToken> createOnCurrent(Batch batch, Caller admitted) {
    return OptimisticExecutor.repeatWhileOutdated(
        () -> {
          // The body may have taken long to arrive, and permissions or keys may have changed
          // meanwhile.
          Caller caller = authenticator.reload(admitted);
          trail.require(caller, CREATE);
          return batch.tryCreate(caller);
        });
  }

  /**
   * Records that an id was taken. Which id was taken reveals which data exists, since deduplicated
   * content that exists needs no free id.
   */
  static void recordComparisons(
      AuditTrail trail, List<TokenDraft.Valid> wanted, TenantId tenantId, Actor actor) {
    List<AuditEntry> compared =
        wanted.stream()
            .filter(each -> each.draft().isDeduplicated())
            .map(each -> EntityType.of(each.type()))
            .distinct()
            .map(type -> AuditTrail.searchEntry(tenantId, actor, type, COMPARED))
            .toList();
    if (!compared.isEmpty()) {
      trail.record(compared);
    }
  }

  /**
   * The drafts of one request, and what the current attempt to create their tokens has decided and
   * evaluated so far, in the order of the drafts. Not thread-safe.
   */
  private final class Batch {

    private final Evaluator evaluator = evaluation.evaluator();
    private final List<TokenDraft> drafts;
    private final List<String> paths;
    private final Violations known;
    private final AttemptReservation memory;
    private final List<TokenDraft.Valid> valid = new ArrayList<>();
    private final List<TokenId> ids = new ArrayList<>();
    private final List<AccessTransform> transforms = new ArrayList<>();
    private final List<Evaluated> evaluated = new ArrayList<>();

    Batch(
        List<TokenDraft> drafts, List<String> paths, Violations known, AttemptReservation memory) {
      this.drafts = drafts;
      this.paths = paths;
      this.known = known;
      this.memory = memory;
    }

    /** Creates the tokens; empty if the data that the decision is based on is outdated. */
    Optional<List<CreatedToken>> tryCreate(Caller caller) {
      evaluator.startOver();
      valid.clear();
      ids.clear();
      transforms.clear();
      evaluated.clear();
      // Violations of this attempt only: those of an earlier one may no longer apply.
      Violations all = new Violations().addAll(known);
      for (int i = 0; i < drafts.size(); i++) {
        Violations found = new Violations();
        check(caller, i, found);
        all.addAll(paths.get(i), found);
      }
      all.throwIfAny();
      if (!drafts.isEmpty()) {
        return store(caller);
      }
      // Nothing is stored, so nothing confirms the cached data.
      return caller.isProvisional() ? Optional.empty() : Optional.of(List.of());
    }

    /**
     * Validates a draft, decides on it and evaluates it, unless a violation is added. Only the
     * alias is evaluated before the caller is known to have permission to create the token.
     */
    private void check(Caller caller, int index, Violations violations) {
      drafts
          .get(index)
          .parse(caller.now(), violations)
          .ifPresent(draft -> check(caller, draft, place(index), violations));
    }

    private void check(Caller caller, TokenDraft.Valid draft, String place, Violations violations) {
      TokenContent content = new TokenContent(draft.draft().data(), draft.expressions());
      evaluation.checkSize(content, violations);
      if (!violations.isEmpty()) {
        return;
      }
      if (caller.target().isPresent()) {
        boundContainerWrites.requireCreatable(caller, draft);
      }
      valid.add(draft);
      newId(draft, violations)
          .ifPresent(
              id -> {
                transforms.add(decide(caller, draft, place, id));
                ids.add(id);
              });
      evaluation
          .evaluate(evaluator, draft.type(), draft.settings().metadata(), content, violations)
          .ifPresent(evaluated::add);
    }

    /** Returns the id of a new token; empty if a violation was added. */
    private Optional<TokenId> newId(TokenDraft.Valid draft, Violations violations) {
      if (!draft.draft().hasAlias()) {
        return Optional.of(draft.id().orElseGet(TokenId::random));
      }
      Optional<String> alias =
          evaluation.alias(
              evaluator, draft.draft().id(), draft.type(), draft.draft().data(), violations);
      Optional<TokenId> id = alias.flatMap(TokenId::parseNew);
      if (alias.isPresent() && id.isEmpty()) {
        violations.add("id", "results in a string that is not a valid id; an id " + TokenId.SHAPE);
      }
      return id;
    }

    /**
     * Returns the weakest transform that {@code token:create} allows in the token's containers.
     *
     * @throws RefusedException if a container is not allowed, which is recorded
     */
    private AccessTransform decide(
        Caller caller, TokenDraft.Valid draft, String place, TokenId id) {
      TokenTraits traits = draft.settings().traits(id);
      Optional<AccessTransform> allowed =
          caller.authority().transform(Permission.TOKEN_CREATE, traits);
      if (allowed.isPresent()) {
        return allowed.get();
      }
      boolean isIdChosen = draft.id().isPresent();
      throw trail.recordRefusal(
          caller,
          isIdChosen ? EntityType.of(draft.type()) : EntityType.APPLICATION,
          isIdChosen ? id : caller.id(),
          Operation.CREATE,
          "Token creation",
          "The API key does not permit token:create in "
              + TokenDecisions.missingContainers(caller, Permission.TOKEN_CREATE, traits)
              + " for the token"
              + place
              + ".");
    }

    /** Returns the place in a request with several drafts, for messages. */
    private String place(int index) {
      return paths.get(index).isEmpty() ? "" : " at " + paths.get(index);
    }

    /**
     * Stores the tokens, with other ids where aliases are taken; empty if a precondition no longer
     * holds, in which case nothing was stored.
     */
    private Optional<List<CreatedToken>> store(Caller caller) {
      Preconditions decidedOn = caller.versions().withNewest(caller.keys());
      int[] collisions = new int[drafts.size()];
      while (true) {
        Creation creation = create(caller, decidedOn);
        if (creation instanceof Stale) {
          return Optional.empty();
        }
        if (creation instanceof Done done) {
          return Optional.of(views(caller, done));
        }
        int taken = ((IdTaken) creation).index();
        TokenId id = otherId(caller, taken, collisions[taken]++);
        transforms.set(taken, decide(caller, valid.get(taken), place(taken), id));
        ids.set(taken, id);
      }
    }

    /**
     * Encrypts and stores the tokens. Unless the result is {@code Stale}, even if it is an
     * exception, the request may not be repeated.
     */
    private Creation create(Caller caller, Preconditions decidedOn) {
      List<NewToken> encrypted = new ArrayList<>();
      for (int i = 0; i < drafts.size(); i++) {
        encrypted.add(encrypt(caller, valid.get(i), ids.get(i), evaluated.get(i)));
      }
      Creation creation = null;
      try {
        creation = tokens.create(encrypted, decidedOn, AuditTrail::expiry, memory.toLoad());
        return creation;
      } finally {
        if (!(creation instanceof Stale)) {
          caller.endProvisional();
        }
      }
    }

    private NewToken encrypt(
        Caller caller, TokenDraft.Valid draft, TokenId id, Evaluated evaluated) {
      EntityType type = EntityType.of(draft.type());
      return new NewToken(
          id,
          caller.tenantId(),
          draft.type(),
          draft.settings(),
          contents.encrypt(caller.keys(), id, evaluated),
          caller.id(),
          AuditTrail.entry(caller, type, id, Operation.CREATE, "Token created"),
          draft.draft().isDeduplicated()
              ? Optional.of(deduplication(caller, evaluated))
              : Optional.empty());
    }

    private Deduplication deduplication(Caller caller, Evaluated evaluated) {
      return new Deduplication(
          contents.fingerprints(caller.keys(), evaluated),
          token -> caller.authority().decide(Permission.TOKEN_CREATE, token.traits()).isAllowed(),
          token -> TokenDecisions.readEntry(caller, token));
    }

    /**
     * Returns another alias, or after many collisions a random id.
     *
     * @throws RefusedException with cause {@code TOKEN_ID_TAKEN} if the client chose the id
     */
    private TokenId otherId(Caller caller, int index, int collisions) {
      TokenDraft.Valid draft = valid.get(index);
      if (!draft.draft().hasAlias()) {
        recordComparisons(trail, valid, caller.tenantId(), caller.actor());
        throw new RefusedException(
            FailureCause.TOKEN_ID_TAKEN,
            "A token with this id already exists" + place(index) + "; choose another or omit it.");
      }
      Optional<TokenId> alias =
          collisions < MAX_ALIASES ? newId(draft, new Violations()) : Optional.empty();
      return alias.orElseGet(TokenId::random);
    }

    /** Returns each token under the transform that its creation was allowed with. */
    private List<CreatedToken> views(Caller caller, Done done) {
      List<CreatedToken> created = new ArrayList<>();
      for (int i = 0; i < drafts.size(); i++) {
        Outcome outcome = done.outcomes().get(i);
        StoredToken stored = outcome.token();
        TokenView view =
            outcome.isNew()
                ? evaluation.view(
                    evaluator, stored.token(), evaluated.get(i).content(), transforms.get(i))
                : tokenDecryptor.viewFound(evaluator, caller, stored, memory);
        created.add(new CreatedToken(view, outcome.isNew()));
      }
      return List.copyOf(created);
    }
  }
}
