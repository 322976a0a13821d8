package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.json.Timestamps;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenLimits;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The body that creates a token. */
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

  static final SizeLimit CONTAINERS =
      new SizeLimit(TokenLimits.MAX_CONTAINERS, TokenLimits.CONTAINERS_SHAPE);
  static final SizeLimit SEARCH_INDEXES = SizeLimit.items(TokenLimits.MAX_SEARCH_INDEXES);
  static final SizeLimit METADATA = SizeLimit.entries(TokenLimits.MAX_METADATA);

  /** Reads a token as responses show it: what the vault itself sets is ignored. */
  public static TokenRequest readExported(JsonFields fields) {
    fields.ignore(
        "tenant_id", "fingerprint", "created_by", "created_at", "modified_by", "modified_at");
    return read(fields);
  }

  public static TokenRequest read(JsonFields fields) {
    TokenRequest request =
        new TokenRequest(
            fields.text("id"),
            fields.text("type"),
            fields.any("data"),
            fields.texts("containers", CONTAINERS),
            fields.textMap("metadata", METADATA),
            Timestamps.read(fields, "expires_at"),
            fields.any("mask"),
            fields.texts("search_indexes", SEARCH_INDEXES),
            fields.text("fingerprint_expression"),
            fields.flag("deduplicate_token"));
    fields.refuseOthers();
    return request;
  }

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

  /** Nothing: the data is secret. */
  @Override
  public String toString() {
    return "TokenRequest[redacted]";
  }
}
