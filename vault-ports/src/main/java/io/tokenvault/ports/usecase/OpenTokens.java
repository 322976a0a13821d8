package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Authority;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.Delivery;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Expressions.Evaluator;
import io.tokenvault.ports.spi.Expressions.References;
import io.tokenvault.ports.spi.Loaded;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TokenStore;
import io.tokenvault.ports.spi.Versions;
import io.tokenvault.ports.usecase.Attempts.Decided;
import io.tokenvault.ports.usecase.Attempts.Deciding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The one door to plaintext: decides, records, waits until the record is durable, and only then
 * opens. Where something changed between decision and record, it decides anew. No other class may
 * open a token's seal.
 */
public final class OpenTokens {

  private final TokenStore tokens;
  private final TokenContents contents;
  private final TokenEvaluation evaluation;
  private final Gate gate;
  private final AuditTrail trail;
  private final TokenDecisions decisions;
  private final Attempts attempts;

  public OpenTokens(
      RequestLookup lookup,
      TokenStore tokens,
      TokenContents contents,
      Gate gate,
      AuditRecorder recorder) {
    this.tokens = tokens;
    this.contents = contents;
    this.evaluation = contents.evaluation();
    this.gate = gate;
    this.trail = new AuditTrail(recorder);
    this.decisions = new TokenDecisions(trail);
    this.attempts = new Attempts(lookup, gate, trail);
  }

  /** One token, under the caller's {@code token:read}. */
  TokenView read(Caller caller, TokenId id) {
    return attempts.onWhatHolds(caller, Set.of(id), reading(id));
  }

  /** The same, confirmed by its record. */
  TokenView read(RecognisedCaller recognised, TokenId id) {
    return attempts
        .onWhatIsRemembered(recognised.standing(), recognised.caller(), Set.of(id), reading(id))
        .orElseGet(() -> read(gate.confirm(recognised), id));
  }

  private Deciding<TokenView> reading(TokenId id) {
    return (present, loaded, deciding) -> {
      StoredToken stored =
          Optional.ofNullable(loaded.tokens().get(id)).orElseThrow(RefusedException::notFound);
      AccessTransform transform = deciding.requireRead(present, stored.token());
      deciding.requireFreeToGo(present, revealed(transform, stored.token()));
      return new Decided<>(
          List.of(TokenDecisions.readEntry(present, stored.token())),
          present.versionsWithKeys().with(List.of(stored.token())),
          () -> view(present, stored, transform));
    };
  }

  private static List<Token> revealed(AccessTransform transform, Token token) {
    return transform == AccessTransform.REVEAL ? List.of(token) : List.of();
  }

  /**
   * A page of what the caller may see, each under {@code token:read} or else {@code token:search}.
   *
   * @param visible which tokens to show, by what the caller may do
   * @param message what is recorded
   */
  Page<TokenView> list(
      Caller caller,
      TokenQuery query,
      Function<Authority, TokenScope> visible,
      PageRequest request,
      String message) {
    return Attempts.untilDecidedOnWhatHolds(
        () -> tryList(caller, query, visible, request, message));
  }

  private Optional<Page<TokenView>> tryList(
      Caller caller,
      TokenQuery query,
      Function<Authority, TokenScope> visible,
      PageRequest request,
      String message) {
    Caller present = gate.again(caller);
    Page<StoredToken> page =
        tokens.list(present.tenantId(), query, visible.apply(present.authority()), request);
    if (!page.items().stream().allMatch(stored -> Attempts.hasKeys(present.keys(), stored))) {
      return Optional.empty(); // The keys were rotated after the caller was loaded.
    }
    List<Token> revealed = shown(present, page, AccessTransform.REVEAL);
    decisions.requireFreeToGo(present, revealed);
    List<AuditEntry> entries = new ArrayList<>();
    entries.add(
        AuditTrail.entry(
            present,
            EntityType.of(TokenType.TOKEN),
            AuditEntry.ALL_ENTITIES,
            Operation.SEARCH,
            message));
    revealed.forEach(token -> entries.add(TokenDecisions.readEntry(present, token)));
    List<Token> opened = new ArrayList<>(revealed);
    opened.addAll(shown(present, page, AccessTransform.MASK));
    if (!trail.record(entries, present.versionsWithKeys().with(opened))) {
      return Optional.empty();
    }
    Evaluator evaluator = evaluation.evaluator();
    return Optional.of(
        page.map(
            stored ->
                view(
                    evaluator,
                    present,
                    stored,
                    TokenDecisions.listTransform(present, stored.token().traits()))));
  }

  private static List<Token> shown(
      Caller caller, Page<StoredToken> page, AccessTransform transform) {
    return page.items().stream()
        .map(StoredToken::token)
        .filter(token -> TokenDecisions.listTransform(caller, token.traits()) == transform)
        .toList();
  }

  /**
   * What a destination is about to be given.
   *
   * @param ids as they were written; one that cannot be a token's is unknown like any other
   * @param delivery where the data goes
   * @param proxyVersions the versions of the proxy that they are used through, if any
   * @param invocation recorded together with the uses
   * @param disclosure told which tokens they are
   */
  record Use(
      Set<String> ids,
      Delivery delivery,
      Versions proxyVersions,
      AuditEntry invocation,
      Disclosure disclosure) {}

  /**
   * The raw data of tokens, for a destination, under {@code token:use} on each and where the
   * operator lets it go: all or none.
   *
   * @param standing of the caller, and of what the use is made of
   * @throws RefusedException while it is provisional: all has to be decided anew
   */
  Map<TokenId, SensitiveValue> use(Caller caller, Use use, Standing standing) {
    Set<TokenId> ids = possible(use.ids());
    return attempts
        .onWhatIsRemembered(standing, caller, ids, using(use))
        .orElseGet(
            () -> {
              if (standing.isProvisional()) {
                throw Attempts.outdated();
              }
              return attempts.onWhatHolds(caller, ids, using(use));
            });
  }

  private Deciding<Map<TokenId, SensitiveValue>> using(Use use) {
    return (present, loaded, deciding) -> {
      TokenDecisions.requireAllKnown(use.ids(), loaded);
      List<Token> used = loaded.tokens().values().stream().map(StoredToken::token).toList();
      deciding.requireAllUsable(present, used, use.delivery(), use.invocation());
      List<AuditEntry> entries = new ArrayList<>();
      entries.add(use.invocation());
      used.forEach(token -> entries.add(TokenDecisions.useEntry(present, token)));
      return new Decided<>(
          entries,
          present.versionsOfUse().withKeys().with(used).and(use.proxyVersions()),
          () -> {
            use.disclosure().add(used);
            return openAll(present, loaded);
          });
    };
  }

  private static Set<TokenId> possible(Set<String> ids) {
    return ids.stream()
        .map(TokenId::parse)
        .flatMap(Optional::stream)
        .collect(Collectors.toUnmodifiableSet());
  }

  private Map<TokenId, SensitiveValue> openAll(Caller caller, Loaded loaded) {
    Map<TokenId, SensitiveValue> opened = new LinkedHashMap<>();
    loaded
        .tokens()
        .forEach((id, stored) -> opened.put(id, contents.openData(caller.keys(), stored)));
    return opened;
  }

  /**
   * A JSON value with the tokens that it names, each under the caller's {@code token:read}: all or
   * none.
   */
  JsonValue detokenize(Caller caller, References references) {
    return attempts.onWhatHolds(caller, possible(references.tokenIds()), filling(references));
  }

  /** The same, confirmed by its record. */
  JsonValue detokenize(RecognisedCaller recognised, References references) {
    return attempts
        .onWhatIsRemembered(
            recognised.standing(),
            recognised.caller(),
            possible(references.tokenIds()),
            filling(references))
        .orElseGet(() -> detokenize(gate.confirm(recognised), references));
  }

  private Deciding<JsonValue> filling(References references) {
    return (present, loaded, deciding) -> {
      TokenDecisions.requireAllKnown(references.tokenIds(), loaded);
      List<Token> read = loaded.tokens().values().stream().map(StoredToken::token).toList();
      deciding.requireAllReadable(present, read);
      deciding.requireFreeToGo(present, revealed(present, read));
      return new Decided<>(
          read.stream().map(token -> TokenDecisions.readEntry(present, token)).toList(),
          present.versionsWithKeys().with(read),
          () -> references.fill(shown(present, loaded)));
    };
  }

  private static List<Token> revealed(Caller caller, List<Token> tokens) {
    return tokens.stream()
        .filter(token -> TokenDecisions.readTransform(caller, token) == AccessTransform.REVEAL)
        .toList();
  }

  private Map<String, JsonValue> shown(Caller caller, Loaded loaded) {
    Evaluator evaluator = evaluation.evaluator();
    Map<String, JsonValue> values = new LinkedHashMap<>();
    loaded
        .tokens()
        .forEach(
            (id, stored) ->
                values.put(
                    id.value(),
                    contents.shown(
                        evaluator,
                        caller.keys(),
                        stored,
                        TokenDecisions.readTransform(caller, stored.token()))));
    return values;
  }

  /**
   * What an application would have of tokens for a destination, by what was written; those that do
   * not exist are left out.
   *
   * @param caller who is shown it, and whose read of the masks is recorded
   * @param user shown masks at most
   */
  Map<String, TokenPreview> preview(
      Caller caller, Caller user, Set<String> ids, Delivery delivery) {
    return attempts.onWhatHolds(
        user,
        possible(ids),
        (present, loaded, deciding) -> previewing(caller, present, loaded, delivery));
  }

  private Decided<Map<String, TokenPreview>> previewing(
      Caller caller, Caller present, Loaded loaded, Delivery delivery) {
    List<StoredToken> usable =
        loaded.tokens().values().stream()
            .filter(stored -> TokenDecisions.mayUse(present, stored.token()))
            .toList();
    return new Decided<>(
        usable.stream().map(stored -> TokenDecisions.maskEntry(caller, stored.token())).toList(),
        present.versionsWithKeys().with(usable.stream().map(StoredToken::token).toList()),
        () -> previews(present, loaded, delivery));
  }

  private Map<String, TokenPreview> previews(Caller user, Loaded loaded, Delivery delivery) {
    Map<String, TokenPreview> previews = new LinkedHashMap<>();
    loaded
        .tokens()
        .forEach((id, stored) -> previews.put(id.value(), preview(user, stored, delivery)));
    return previews;
  }

  private TokenPreview preview(Caller user, StoredToken stored, Delivery delivery) {
    boolean usable = TokenDecisions.mayUse(user, stored.token());
    return new TokenPreview(
        usable,
        user.egress().allows(stored.token().traits(), delivery),
        usable ? view(user, stored, AccessTransform.MASK).data() : Optional.empty());
  }

  /**
   * What a change starts from. Nothing of it may leave before the change, and with it its entry, is
   * durable.
   */
  TokenContent contentToChange(Caller caller, StoredToken stored) {
    return contents.open(caller.keys(), stored);
  }

  /** A token under a transform that was decided on and recorded. */
  TokenView view(Caller caller, StoredToken stored, AccessTransform transform) {
    return view(evaluation.evaluator(), caller, stored, transform);
  }

  /** The same for one of several. */
  TokenView view(
      Evaluator evaluator, Caller caller, StoredToken stored, AccessTransform transform) {
    return shows(transform, stored)
        ? evaluation.view(
            evaluator, stored.token(), contents.open(caller.keys(), stored), transform)
        : TokenView.redacted(stored.token());
  }

  /** What shows nothing is not opened. */
  private static boolean shows(AccessTransform transform, StoredToken stored) {
    return switch (transform) {
      case REDACT -> false;
      case MASK -> stored.expressions().isPresent() || stored.token().type().hasDefaultMask();
      case REVEAL -> true;
    };
  }
}
