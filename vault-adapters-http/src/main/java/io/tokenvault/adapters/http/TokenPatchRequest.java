package io.tokenvault.adapters.http;

import io.tokenvault.domain.token.TokenPatch;

/** The merge patch that changes a token; null is not the same as left out. */
final class TokenPatchRequest {

  private TokenPatchRequest() {}

  static TokenPatch read(JsonFields fields) {
    TokenPatch patch =
        new TokenPatch(
            fields.change("data", fields::any),
            fields.change("mask", fields::any),
            fields.change("metadata", fields::textChanges),
            fields.change("containers", fields::texts),
            fields.change("expires_at", fields::time),
            fields.change("search_indexes", fields::texts),
            fields.change("fingerprint_expression", fields::text));
    fields.refuseChange("id");
    fields.refuseChange("type");
    fields.refuseOthers();
    return patch;
  }
}
