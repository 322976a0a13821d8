package io.tokenvault.adapters.http;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.domain.token.TokenLimits;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The body that creates a token. */
record TokenRequest(
    String id,
    @NotNull(message = Required.MESSAGE) String type,
    @NotNull(message = "is required and cannot be null") JsonValue data,
    @Size(
            min = 1,
            max = TokenLimits.MAX_CONTAINERS,
            message = "must be {min} to {max}, or left out")
        List<String> containers,
    @Size(max = TokenLimits.MAX_METADATA, message = "must have at most {max} entries")
        Map<String, String> metadata,
    Instant expiresAt,
    JsonValue mask,
    @Size(max = TokenLimits.MAX_SEARCH_INDEXES, message = "must be at most {max}")
        List<String> searchIndexes,
    String fingerprintExpression,
    Boolean deduplicateToken) {

  /** Reads a token as responses show it: what the vault itself sets is ignored. */
  static TokenRequest readExported(JsonFields fields) {
    fields.ignore(
        "tenant_id", "fingerprint", "created_by", "created_at", "modified_by", "modified_at");
    return read(fields);
  }

  static TokenRequest read(JsonFields fields) {
    TokenRequest request =
        new TokenRequest(
            fields.text("id"),
            fields.text("type"),
            fields.any("data"),
            fields.texts("containers"),
            fields.textMap("metadata"),
            fields.time("expires_at"),
            fields.any("mask"),
            fields.texts("search_indexes"),
            fields.text("fingerprint_expression"),
            fields.flag("deduplicate_token"));
    fields.refuseOthers();
    return request;
  }

  TokenDraft toDraft() {
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
