package io.tokenvault.adapters.http;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenDraft;
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
    @Size(min = 1, max = TokenDraft.MAX_CONTAINERS, message = "must be {min} to {max}, or left out")
        List<String> containers,
    @Size(max = TokenDraft.MAX_METADATA, message = "must have at most {max} entries")
        Map<String, String> metadata,
    Instant expiresAt) {

  private static final List<String> NOT_YET =
      List.of("mask", "search_indexes", "fingerprint_expression", "deduplicate_token");

  static TokenRequest read(JsonFields fields) {
    TokenRequest request =
        new TokenRequest(
            fields.text("id"),
            fields.text("type"),
            fields.any("data"),
            fields.texts("containers"),
            fields.textMap("metadata"),
            fields.time("expires_at"));
    NOT_YET.forEach(name -> fields.refuse(name, "is not supported yet"));
    fields.refuseOthers();
    return request;
  }

  TokenDraft toDraft() {
    return new TokenDraft(id, type, data, containers, metadata, expiresAt);
  }
}
