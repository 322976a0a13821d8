package io.tokenvault.ports.usecase.token;

import io.tokenvault.domain.Sha256;
import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenQuery.IdIn;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.KeyStore;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.Creation;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.Creation.IdTaken;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.TokenStore.NewToken.Deduplication;
import io.tokenvault.ports.store.TokenStore.Outcome;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.token.TokenEvaluation.Evaluated;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Imports tokens into a tenant for its operator.
 *
 * <p>An import may create every token that an application could, under identical validation,
 * without an application's permission. Each token has an audit entry by the system in one
 * transaction with it.
 */
public final class ImportTokens {

  private static final int LOOKUP_BATCH = 50;

  private final TokenStore tokens;
  private final KeyStore keys;
  private final TokenContents contents;
  private final AuditTrail trail;

  public ImportTokens(
      TokenStore tokens, KeyStore keys, TokenContents contents, AuditRecorder recorder) {
    this.tokens = tokens;
    this.keys = keys;
    this.contents = contents;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Validates a line and evaluates its expressions.
   *
   * @param line the line number, from 1
   * @param violations receives violations, and may contain those found while parsing the line
   * @return empty if there is any violation
   */
  public Optional<ImportLine> check(
      ImportRun run, long line, TokenDraft draft, Violations violations) {
    Optional<TokenDraft.Valid> parsed = draft.parse(run.now(), violations);
    if (draft.hasAlias()) {
      violations.add("id", "must not be an expression in an import");
    }
    return parsed
        .filter(valid -> violations.isEmpty())
        .flatMap(valid -> check(run, line, valid, violations));
  }

  private Optional<ImportLine> check(
      ImportRun run, long line, TokenDraft.Valid valid, Violations violations) {
    TokenEvaluation evaluation = contents.evaluation();
    TokenContent content = new TokenContent(valid.draft().data(), valid.expressions());
    evaluation.checkSize(content, violations);
    if (!violations.isEmpty()) {
      return Optional.empty();
    }
    TokenId id = valid.id().orElseGet(() -> run.idOf(line));
    return evaluation
        .evaluate(
            evaluation.evaluator(), valid.type(), valid.settings().metadata(), content, violations)
        .map(evaluated -> new ImportLine(line, id, valid, evaluated));
  }

  /**
   * Stores validated lines in one transaction. Lines that this run has stored before, and lines
   * whose id belongs to another token, are skipped and reported.
   *
   * @param mayBeStored whether these lines may have been stored by an earlier attempt that could
   *     not report it; otherwise a token with the id of a line belongs to another line
   * @throws RefusedException if the tenant does not exist or was shredded, or the store is
   *     unavailable; nothing is stored then
   */
  public Stored store(ImportRun run, List<ImportLine> lines, boolean mayBeStored) {
    TenantKeys current = keys(run);
    List<ImportLine> wanted = new ArrayList<>(lines);
    List<NewToken> ready = ready(run, wanted, current);
    List<Long> taken = new ArrayList<>();
    Set<TokenId> before = new HashSet<>();
    while (!wanted.isEmpty()) {
      Creation creation = create(run, ready, current);
      if (creation instanceof Done done) {
        return stored(lines, wanted, taken, done);
      }
      if (creation instanceof IdTaken known) {
        recordComparisons(run, wanted);
        Map<TokenId, Token> there = find(run, wanted);
        for (ImportLine left : leaveOut(wanted, wanted.get(known.index()), there.keySet())) {
          // Of two lines with one id, the first was stored; the second is reported as taken.
          if (!mayBeStored
              || !isStored(run, left, there.get(left.id), current)
              || !before.add(left.id)) {
            taken.add(left.number);
          }
        }
      } else {
        current = keys(run);
      }
      ready = ready(run, wanted, current);
    }
    return new Stored(0, 0, lines.size() - taken.size(), taken);
  }

  private static Stored stored(
      List<ImportLine> lines, List<ImportLine> wanted, List<Long> taken, Done done) {
    long created = done.outcomes().stream().filter(Outcome::isNew).count();
    int before = lines.size() - wanted.size() - taken.size();
    return new Stored(created, done.outcomes().size() - created, before, taken);
  }

  private List<NewToken> ready(ImportRun run, List<ImportLine> lines, TenantKeys current) {
    return lines.stream().map(line -> newToken(run, line, current)).toList();
  }

  private Creation create(ImportRun run, List<NewToken> ready, TenantKeys current) {
    return tokens.create(
        ready,
        Preconditions.none(run.tenantId()).withNewest(current),
        AuditTrail::expiry,
        MemoryReservation.UNBOUNDED);
  }

  /** Returns the current keys; new tokens are encrypted under the newest ones. */
  private TenantKeys keys(ImportRun run) {
    TenantKeys found = keys.find(run.tenantId()).orElseThrow(RefusedException::notFound);
    if (found.areDestroyed()) {
      throw RefusedException.tenantShredded();
    }
    return found;
  }

  private NewToken newToken(ImportRun run, ImportLine line, TenantKeys current) {
    return new NewToken(
        line.id,
        run.tenantId(),
        line.draft.type(),
        line.draft.settings(),
        contents.encrypt(current, line.id, line.evaluated),
        run.id(),
        AuditTrail.systemEntry(
            run.tenantId(),
            EntityType.of(line.draft.type()),
            line.id,
            Operation.CREATE,
            "Token imported"),
        line.draft.draft().isDeduplicated()
            ? Optional.of(deduplication(current, line.evaluated))
            : Optional.empty());
  }

  private Deduplication deduplication(TenantKeys current, Evaluated evaluated) {
    return new Deduplication(
        contents.fingerprints(current, evaluated), token -> true, ImportTokens::found);
  }

  private static AuditEntry found(Token token) {
    return AuditTrail.systemEntry(
        token.tenantId(),
        EntityType.of(token.type()),
        token.id(),
        Operation.READ,
        "Token found by an import");
  }

  /** Records comparisons with existing data, as for applications, where an id is taken. */
  private void recordComparisons(ImportRun run, List<ImportLine> wanted) {
    List<TokenDraft.Valid> drafts = wanted.stream().map(line -> line.draft).toList();
    CreateTokens.recordComparisons(trail, drafts, run.tenantId(), Actor.system());
  }

  /**
   * Removes all lines with taken ids together, rather than in one attempt for each.
   *
   * @param known a line whose id is certainly taken
   */
  private static List<ImportLine> leaveOut(
      List<ImportLine> wanted, ImportLine known, Set<TokenId> taken) {
    List<ImportLine> left =
        wanted.stream().filter(line -> line.equals(known) || taken.contains(line.id)).toList();
    wanted.removeAll(left);
    return left;
  }

  /**
   * Returns whether a token was stored by this run and matches the line, as far as that can be
   * determined without decrypting its data.
   */
  private boolean isStored(ImportRun run, ImportLine line, Token found, TenantKeys current) {
    return found != null
        && found.provenance().createdBy().equals(Optional.of(run.id()))
        && found.type() == line.draft.type()
        && found.settings().containers().equals(line.draft.settings().containers())
        && found.settings().metadata().equals(line.draft.settings().metadata())
        && found
            .fingerprint()
            .filter(contents.fingerprints(current, line.evaluated)::contains)
            .isPresent();
  }

  /**
   * Finds the tokens with the ids of lines, in batches, since their encrypted data is loaded, too.
   */
  private Map<TokenId, Token> find(ImportRun run, List<ImportLine> lines) {
    Map<TokenId, Token> found = new HashMap<>();
    for (int from = 0; from < lines.size(); from += LOOKUP_BATCH) {
      Set<TokenId> ids =
          lines.subList(from, Math.min(from + LOOKUP_BATCH, lines.size())).stream()
              .map(line -> line.id)
              .collect(Collectors.toUnmodifiableSet());
      tokens
          .list(
              run.tenantId(),
              new IdIn(ids),
              TokenScope.everything(),
              new PageRequest(1, LOOKUP_BATCH),
              MemoryReservation.UNBOUNDED)
          .items()
          .forEach(stored -> found.put(stored.token().id(), stored.token()));
    }
    return found;
  }

  /**
   * The result for some lines.
   *
   * @param created the number of lines that became tokens
   * @param duplicates the number of lines that matched an existing token of equal content
   * @param before the number of lines that this run had stored before
   * @param taken the numbers of lines whose id belongs to another token, in their order
   */
  public record Stored(long created, long duplicates, long before, List<Long> taken) {
    public Stored {
      taken = taken.stream().sorted().toList();
    }
  }

  /** A validated line of an import, together with its evaluated expressions. */
  public static final class ImportLine {

    private final long number;
    private final TokenId id;
    private final TokenDraft.Valid draft;
    private final Evaluated evaluated;

    private ImportLine(long number, TokenId id, TokenDraft.Valid draft, Evaluated evaluated) {
      this.number = number;
      this.id = id;
      this.draft = draft;
      this.evaluated = evaluated;
    }
  }

  /**
   * One import of one file, however often it is interrupted and resumed.
   *
   * @param id recorded as the creator of its tokens, by which a resumed run recognizes them
   * @param seed the source of generated ids; whoever knows it can guess them
   * @param now by the database's clock, when the run was started or resumed
   */
  public record ImportRun(TenantId tenantId, UUID id, UUID seed, Instant now) {

    private static final long VERSION_8 = 0x8000L;
    private static final long WITHOUT_VERSION = 0xFFFF_FFFF_FFFF_0FFFL;
    private static final long VARIANT = 0x8000_0000_0000_0000L;
    private static final long WITHOUT_VARIANT = 0x3FFF_FFFF_FFFF_FFFFL;

    /**
     * Returns the id of a line's token if the line has none. It is derived from the seed and the
     * line number, so that a resumed run generates identical ids.
     */
    TokenId idOf(long line) {
      byte[] text = (seed + "/" + line).getBytes(StandardCharsets.US_ASCII);
      ByteBuffer hash = ByteBuffer.wrap(Sha256.digest().digest(text));
      long high = (hash.getLong() & WITHOUT_VERSION) | VERSION_8;
      long low = (hash.getLong() & WITHOUT_VARIANT) | VARIANT;
      return new TokenId(new UUID(high, low).toString());
    }

    /** Returns the id only, because the seed is secret. */
    @Override
    public String toString() {
      return "ImportRun[" + id + "]";
    }
  }
}
