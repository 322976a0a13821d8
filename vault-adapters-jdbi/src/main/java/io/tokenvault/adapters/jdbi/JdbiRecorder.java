package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Versions;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.Update;

/**
 * Entries on condition, in one statement that commits by itself. It sees one moment (READ
 * COMMITTED), so that all versions hold together at that moment, or nothing is written; that is
 * enough, since whoever changes something later changes it after the entry.
 */
final class JdbiRecorder implements AuditRecorder {

  private static final String IF_ALL_HOLD =
      """
      WHERE :applicationCount = (
          SELECT count(*)
          FROM unnest(:applications::uuid[], :applicationVersions::bigint[]) AS wanted (id, number)
          JOIN application ON tenant_id = :tenant AND application_id = id AND version = number
          WHERE %1$s)
        AND :proxyCount = (
          SELECT count(*)
          FROM unnest(:proxies::uuid[], :proxyVersions::bigint[]) AS wanted (id, number)
          JOIN proxy ON tenant_id = :tenant AND proxy_id = id AND version = number)
        AND :tokenCount = (
          SELECT count(*)
          FROM unnest(:tokens::text[], :tokenVersions::bigint[]) AS wanted (id, number)
          JOIN token ON tenant_id = :tenant AND token_id = id AND version = number
          WHERE %1$s)
        AND (:egress::bigint IS NULL OR EXISTS (
          SELECT 1 FROM tenant WHERE tenant_id = :tenant AND egress_version = :egress))
        AND (NOT :keys OR EXISTS (SELECT 1 FROM tenant_key WHERE tenant_id = :tenant))
      """
          .formatted(Expiry.UNEXPIRED);

  private static final String STATEMENT = Entries.INSERT + IF_ALL_HOLD + Entries.IN_ORDER;

  private final Database database;

  JdbiRecorder(Database database) {
    this.database = database;
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Versions versions) {
    int written =
        database.run(
            handle ->
                bind(Entries.bind(handle.createUpdate(STATEMENT), entries), versions).execute());
    return written == 0 ? Outcome.STALE : Outcome.RECORDED;
  }

  private static Update bind(Update statement, Versions versions) {
    return statement
        .bind("tenant", versions.tenantId().value())
        .bind("applicationCount", versions.applications().size())
        .bind("applications", uuids(versions.applications(), ApplicationId::value))
        .bind("applicationVersions", SqlValues.numbers(versions.applications().values()))
        .bind("proxyCount", versions.proxies().size())
        .bind("proxies", uuids(versions.proxies(), ProxyId::value))
        .bind("proxyVersions", SqlValues.numbers(versions.proxies().values()))
        .bind("tokenCount", versions.tokens().size())
        .bind(
            "tokens",
            SqlValues.texts(versions.tokens().keySet().stream().map(TokenId::value).toList()))
        .bind("tokenVersions", SqlValues.numbers(versions.tokens().values()))
        .bind("egress", versions.egress().orElse(null))
        .bind("keys", versions.keys());
  }

  private static <K> Argument uuids(Map<K, Long> versions, Function<K, UUID> value) {
    return SqlValues.uuids(versions.keySet().stream().map(value).toList());
  }
}
