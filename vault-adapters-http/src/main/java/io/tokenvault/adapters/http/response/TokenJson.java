package io.tokenvault.adapters.http.response;

import io.tokenvault.adapters.http.json.JsonTextWriter.Members;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenExpressions;
import io.tokenvault.ports.usecase.token.TokenView;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Renders tokens as JSON, restricted to the properties that their callers may see. */
public final class TokenJson {

  private TokenJson() {}

  /**
   * Writes a token as one caller may see it.
   *
   * @param view the token, with the data or mask that the decision allows
   */
  public static void token(TokenView view, Members members) {
    if (view.isBrief()) {
      brief(view.token(), members);
    } else {
      whole(view, members);
    }
  }

  /** Writes id, type, fingerprint and containers only, for callers that may see no more. */
  private static void brief(Token token, Members members) {
    members
        .put("id", token.id().value())
        .put("type", token.type().value())
        .optional("fingerprint", token.fingerprint(), members::put)
        .texts("containers", containers(token));
  }

  private static void whole(TokenView view, Members members) {
    Token token = view.token();
    members
        .put("id", token.id().value())
        .put("tenant_id", token.tenantId().value())
        .put("type", token.type().value())
        .optional("fingerprint", token.fingerprint(), members::put)
        .optional("data", view.data(), members::secretJson);
    view.expressions().ifPresent(expressions -> write(expressions, members));
    members
        .texts("containers", containers(token))
        .optional("metadata", metadata(token), (name, map) -> put(members, name, map));
    ResourceRenderer.provenance(token.provenance(), members);
    members.optional("expires_at", token.settings().expiresAt(), members::put);
  }

  /** Writes the expressions of a token, to callers that may see them. */
  private static void write(TokenExpressions expressions, Members members) {
    members
        .optional("mask", expressions.mask(), members::put)
        .optional(
            "search_indexes",
            Optional.of(expressions.searchIndexes()).filter(indexes -> !indexes.isEmpty()),
            members::texts)
        .optional("fingerprint_expression", expressions.fingerprint(), members::put);
  }

  private static List<String> containers(Token token) {
    return token.settings().containers().stream().map(Container::path).toList();
  }

  private static Optional<Map<String, String>> metadata(Token token) {
    return Optional.of(token.settings().metadata()).filter(map -> !map.isEmpty());
  }

  private static void put(Members members, String name, Map<String, String> map) {
    members.object(name, inner -> map.forEach(inner::put));
  }
}
