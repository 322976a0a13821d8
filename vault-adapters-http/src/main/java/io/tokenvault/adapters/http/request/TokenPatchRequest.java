package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.json.Timestamps;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.token.TokenLimits;
import io.tokenvault.domain.token.TokenPatch;

/** The merge patch that changes a token; null is not the same as left out. */
public final class TokenPatchRequest {

  /** As many as there can be may go, and as many come. */
  private static final SizeLimit METADATA = SizeLimit.entries(2 * TokenLimits.MAX_METADATA);

  private TokenPatchRequest() {}

  public static TokenPatch read(JsonFields fields) {
    TokenPatch patch =
        new TokenPatch(
            fields.change("data", fields::any),
            fields.change("mask", fields::any),
            fields.change("metadata", name -> fields.textChanges(name, METADATA)),
            fields.change("containers", name -> fields.texts(name, TokenRequest.CONTAINERS)),
            fields.change("expires_at", name -> Timestamps.read(fields, name)),
            fields.change(
                "search_indexes", name -> fields.texts(name, TokenRequest.SEARCH_INDEXES)),
            fields.change("fingerprint_expression", fields::text));
    fields.refuseChange("id");
    fields.refuseChange("type");
    fields.refuseOthers();
    return patch;
  }
}
