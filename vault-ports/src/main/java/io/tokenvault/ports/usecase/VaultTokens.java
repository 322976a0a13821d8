package io.tokenvault.ports.usecase;

import io.tokenvault.domain.access.AccessTransform;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.access.Decision;
import io.tokenvault.domain.access.Decision.Allow;
import io.tokenvault.domain.access.TokenTraits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.permission.Permission;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.domain.token.TokenSettings;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.Lookup;
import io.tokenvault.ports.spi.NewToken;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.StoredToken;
import io.tokenvault.ports.spi.TokenFilter;
import io.tokenvault.ports.spi.TokenStore;
import java.util.Optional;
import java.util.Set;

/** Tokens: made, shown, listed and deleted, each under the caller's access rules. */
public final class VaultTokens {

  public static final Requirement CREATE = Requirement.anyOf(Permission.TOKEN_CREATE);
  public static final Requirement READ = Requirement.anyOf(Permission.TOKEN_READ);
  public static final Requirement LIST =
      Requirement.anyOf(Permission.TOKEN_SEARCH, Permission.TOKEN_READ);
  public static final Requirement DELETE = Requirement.anyOf(Permission.TOKEN_DELETE);

  /** How large a token's data may be, in bytes of JSON. */
  public static final int MAX_DATA_SIZE = 1 << 20;

  private final TokenStore tokens;
  private final RequestLookup lookup;
  private final OpenTokens door;
  private final Sealer sealer;
  private final JsonCodec json;
  private final AuditTrail trail;

  public VaultTokens(
      TokenStore tokens,
      RequestLookup lookup,
      OpenTokens door,
      Sealer sealer,
      JsonCodec json,
      AuditRecorder recorder) {
    this.tokens = tokens;
    this.lookup = lookup;
    this.door = door;
    this.sealer = sealer;
    this.json = json;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Makes a token. The caller needs {@code token:create} on every container that it goes to.
   *
   * @param shape what is wrong already with the draft's shape; told together with the rest
   */
  public TokenView create(Caller caller, TokenDraft draft, Violations shape) {
    trail.require(caller, CREATE);
    draft.check(caller.now(), shape);
    Optional<SensitiveValue> data =
        Optional.ofNullable(draft.data()).map(json::write).map(SensitiveValue::of);
    if (data.filter(value -> value.size() > MAX_DATA_SIZE).isPresent()) {
      shape.add("data", "must be at most " + MAX_DATA_SIZE + " bytes as JSON");
    }
    shape.throwIfAny();
    TokenId id = draft.toId();
    TokenSettings settings = draft.toSettings();
    AccessTransform transform = decideCreate(caller, draft.knownType(), id, settings);
    NewToken token =
        new NewToken(
            id,
            caller.tenantId(),
            draft.knownType(),
            settings,
            sealer.seal(
                caller.keys(), SealedField.tokenData(caller.tenantId(), id), data.orElseThrow()),
            caller.id());
    AuditEntry entry = entry(caller, draft.knownType(), id, Operation.CREATE, "Token created");
    Token created =
        tokens.create(token, entry, AuditTrail::expiry).orElseThrow(VaultTokens::idTaken);
    return new TokenView(created, transform == AccessTransform.REVEAL ? data : Optional.empty());
  }

  /** The weakest of what the caller may see of a token in each of the containers. */
  private AccessTransform decideCreate(
      Caller caller, TokenType type, TokenId id, TokenSettings settings) {
    AccessTransform weakest = AccessTransform.REVEAL;
    for (Container container : settings.containers()) {
      TokenTraits traits = new TokenTraits(id.value(), Set.of(container));
      Decision decision = caller.authority().decide(Permission.TOKEN_CREATE, traits);
      if (!(decision instanceof Allow allow)) {
        throw trail.refusal(
            caller,
            EntityType.of(type),
            id,
            Operation.CREATE,
            "Token creation",
            "The API key does not permit token:create on the container " + container + ".");
      }
      weakest = weakest.weaker(allow.transform());
    }
    return weakest;
  }

  private static RefusedException idTaken() {
    return new RefusedException(
        FailureCause.TOKEN_ID_TAKEN,
        "A token with this id exists; choose another or leave it out.");
  }

  public TokenView find(Caller caller, TokenId id) {
    trail.require(caller, READ);
    return door.read(caller, id);
  }

  /** A page of the tokens that the caller may see; what it may not see is not counted either. */
  public Page<TokenView> list(Caller caller, TokenFilter filter, PageRequest request) {
    trail.require(caller, LIST);
    return door.list(caller, filter, request);
  }

  /** Deletes a token and its data for good; its log entries stay. */
  public void delete(Caller caller, TokenId id) {
    trail.require(caller, DELETE);
    Token token = present(caller, id);
    requireDeletable(caller, token);
    AuditEntry entry = entry(caller, token.type(), id, Operation.DELETE, "Token deleted");
    if (!tokens.delete(caller.tenantId(), id, token.version(), entry)) {
      throw new RefusedException(
          FailureCause.CHANGED_MEANWHILE, "The token was changed meanwhile; try again.");
    }
  }

  private Token present(Caller caller, TokenId id) {
    return Optional.ofNullable(
            lookup.load(Lookup.tokens(caller.keyHashes(), Set.of(id))).tokens().get(id))
        .map(StoredToken::token)
        .orElseThrow(RefusedException::notFound);
  }

  private void requireDeletable(Caller caller, Token token) {
    if (!caller.authority().decide(Permission.TOKEN_DELETE, token.traits()).isAllowed()) {
      throw trail.refusal(
          caller,
          EntityType.of(token.type()),
          token.id(),
          Operation.DELETE,
          "Token deletion",
          "The API key does not permit token:delete on this token's containers.");
    }
  }

  private static AuditEntry entry(
      Caller caller, TokenType type, TokenId id, Operation operation, String message) {
    return AuditTrail.entry(caller, EntityType.of(type), id, operation, message);
  }
}
