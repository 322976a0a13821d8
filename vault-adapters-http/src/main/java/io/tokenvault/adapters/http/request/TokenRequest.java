package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenLimits;
import io.tokenvault.domain.token.TokenPatch;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The body that creates a token; any component is null if it was left out.
 *
 * @param id the id or an alias expression; generated if it is null
 * @param type the type of the token, such as {@code card}
 * @param data the sensitive data, any JSON value but null
 * @param containers the paths that the token belongs to, 1 to 20
 * @param metadata names and values, at most 50 entries
 * @param expiresAt when the token expires
 * @param mask any JSON with expressions in its strings
 * @param searchIndexes at most 20 expressions whose values can be searched for
 * @param fingerprintExpression selects the data that the fingerprint covers
 * @param deduplicateToken whether an existing token of identical content is returned instead
 */
public record TokenRequest(
    String id,
    @NotNull(message = RequestValidator.REQUIRED) String type,
    @NotNull(message = "is required and cannot be null") JsonValue data,
    @Size(min = 1, message = TokenLimits.CONTAINERS_SHAPE) List<String> containers,
    Map<String, String> metadata,
    Instant expiresAt,
    JsonValue mask,
    List<String> searchIndexes,
    String fingerprintExpression,
    Boolean deduplicateToken) {

  private static final SizeLimit CONTAINERS =
      new SizeLimit(TokenLimits.MAX_CONTAINERS, TokenLimits.CONTAINERS_SHAPE);
  private static final SizeLimit SEARCH_INDEXES = SizeLimit.items(TokenLimits.MAX_SEARCH_INDEXES);
  static final SizeLimit METADATA = SizeLimit.entries(TokenLimits.MAX_METADATA);

  /** A patch may remove as many entries as a token can have and add as many others. */
  private static final SizeLimit PATCH_METADATA = SizeLimit.entries(2 * TokenLimits.MAX_METADATA);

  /** Reads a token in the form that responses have; the fields that the vault sets are ignored. */
  public static TokenRequest readExported(JsonFields fields) {
    fields.ignore(
        "tenant_id", "fingerprint", "created_by", "created_at", "modified_by", "modified_at");
    return read(fields);
  }

  /** Reads the body; fields of other types and unknown fields become violations. */
  public static TokenRequest read(JsonFields fields) {
    TokenRequest request =
        new TokenRequest(
            fields.text("id"),
            fields.text("type"),
            fields.any("data"),
            fields.texts("containers", CONTAINERS),
            fields.textMap("metadata", METADATA),
            fields.parsed("expires_at", Timestamps::read, Timestamps.SHAPE),
            fields.any("mask"),
            fields.texts("search_indexes", SEARCH_INDEXES),
            fields.text("fingerprint_expression"),
            fields.flag("deduplicate_token"));
    fields.refuseOthers();
    return request;
  }

  /**
   * Reads the JSON merge patch (RFC 7386) that changes a token; fields of other types and unknown
   * fields become violations. Null resets or removes a value, a missing property leaves it
   * unchanged. The id and type of a token cannot be changed.
   */
  public static TokenPatch readPatch(JsonFields fields) {
    TokenPatch patch =
        new TokenPatch(
            fields.change("data", fields::any),
            fields.change("mask", fields::any),
            fields.change("metadata", name -> fields.textChanges(name, PATCH_METADATA)),
            fields.change("containers", name -> fields.texts(name, CONTAINERS)),
            fields.change(
                "expires_at", name -> fields.parsed(name, Timestamps::read, Timestamps.SHAPE)),
            fields.change("search_indexes", name -> fields.texts(name, SEARCH_INDEXES)),
            fields.change("fingerprint_expression", fields::text));
    fields.refuseChange("id");
    fields.refuseChange("type");
    fields.refuseOthers();
    return patch;
  }

  /** Returns the token as a draft, which the use case validates further. */
  public TokenDraft toDraft() {
    return new TokenDraft(
        id,
        type,
        data,
        containers,
        metadata,
        expiresAt,
        mask,
        searchIndexes,
        fingerprintExpression,
        deduplicateToken);
  }

  /** Returns no values, since the data is sensitive. */
  @Override
  public String toString() {
    return "TokenRequest[redacted]";
  }
}
