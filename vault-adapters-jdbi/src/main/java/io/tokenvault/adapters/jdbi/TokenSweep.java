package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.token.Token;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Deletes what has expired, of any tenant; what another node is deleting is left out. */
final class TokenSweep {

  private static final String DUE =
      """
      WITH due AS MATERIALIZED (
        SELECT tenant_id AS due_tenant, token_id AS due_token
        FROM token
        WHERE %1$s <= now()
        ORDER BY %1$s
        LIMIT :limit
        FOR UPDATE SKIP LOCKED)
      """;

  private static final String DELETE_TOKENS =
      DUE.formatted("expires_at")
          + """
          DELETE FROM token USING due
          WHERE tenant_id = due_tenant AND token_id = due_token
          RETURNING
          """
          + StoredColumns.TOKEN_WITHOUT_DATA;

  private static final String DELETE_PARTS =
      DUE.formatted("short_lived_until")
          + """
          UPDATE token
          SET short_lived = NULL, short_lived_key_version = NULL, short_lived_until = NULL
          FROM due
          WHERE tenant_id = due_tenant AND token_id = due_token
          """;

  private TokenSweep() {}

  /** The tokens that were deleted; their data are not read. */
  static List<Token> deleteTokens(Handle handle, int limit) {
    return handle
        .createQuery(DELETE_TOKENS)
        .bind("limit", limit)
        .map(StoredRow::read)
        .map(StoredRow::toToken)
        .list();
  }

  /** How many short-lived parts of data were deleted; their tokens stay at their versions. */
  static int deleteParts(Handle handle, int limit) {
    return handle.createUpdate(DELETE_PARTS).bind("limit", limit).execute();
  }
}
