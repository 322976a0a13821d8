package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.json.Timestamps;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.JsonFields.SizeLimit;
import io.tokenvault.domain.token.TokenLimits;
import io.tokenvault.domain.token.TokenPatch;

/**
 * Reads the JSON merge patch (RFC 7386) that changes a token. Null and a missing property differ:
 * null resets or removes the value, a missing property leaves it unchanged.
 */
public final class TokenPatchRequest {

  /** A patch may remove as many entries as a token can have and add as many others. */
  private static final SizeLimit METADATA = SizeLimit.entries(2 * TokenLimits.MAX_METADATA);

  private TokenPatchRequest() {}

  /**
   * Reads the patch; fields of other types and unknown fields become violations. The id and type of
   * a token cannot be changed.
   */
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
