package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.TokenScope;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.Token;
import io.tokenvault.domain.token.TokenQuery;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.ApplicationStore.ApplicationFilter;
import io.tokenvault.ports.store.ApplicationStore.ApplicationUse;
import io.tokenvault.ports.store.LookupRequest;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.TenantStore.NewTenant;
import io.tokenvault.ports.store.TokenStore;
import io.tokenvault.ports.store.TokenStore.Creation.Done;
import io.tokenvault.ports.store.TokenStore.NewToken;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jdbi.v3.core.statement.SqlLogger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Asserts that rows can be partitioned by tenant: keys and indexes start with the tenant, and
 * statements of requests name it. All exceptions are listed here with their reasons.
 */
final class TenantLocalityTest {

  private static final TestDatabase DATABASE = TestDatabase.migrated();

  /** The table that is searched by key before the tenant is known. */
  private static final String CREDENTIAL = "credential";

  /** Tables with the shared state of all nodes and the progress of the audit log. */
  private static final List<String> GLOBAL_TABLES =
      List.of(
          "audit_drop",
          "audit_sealer",
          "audit_stream",
          "compiled_module",
          "key_proof",
          "node_keyset",
          "vault_schema_history");

  /**
   * Indexes for sweeps, hash chains and exports over all tenants; two that would need an extension
   * to include the tenant; and one that starts with a hash of the tenant and the entity.
   */
  private static final List<String> CROSS_TENANT_INDEXES =
      List.of(
          ("application_expiry audit_entry_by_entity_hash audit_entry_by_transaction"
                  + " audit_seal_by_time audit_seal_in_order credential_end"
                  + " credential_hash_version credential_pkey keyed_request_answer_end"
                  + " keyed_request_expiry token_expiry token_metadata token_search_indexes"
                  + " token_short_lived")
              .split(" "));

  /** Matches statements that set locks and limits of a transaction and name no table. */
  private static final Predicate<String> CONTROLS_TRANSACTION =
      statement -> statement.startsWith("SELECT pg_advisory") || statement.startsWith("SET LOCAL ");

  @AutoClose private static JdbiStores stores;

  @BeforeAll
  static void open() {
    stores = DATABASE.stores();
  }

  private static List<String> select(String query) {
    return DATABASE.asOwner(query);
  }

  @Test
  void primaryKeysStartWithTheTenant() {
    assertThat(
            select(
                """
                SELECT relname FROM pg_class
                LEFT JOIN pg_index ON indrelid = pg_class.oid AND indisprimary
                LEFT JOIN pg_attribute ON attrelid = pg_class.oid AND attnum = indkey[0]
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
                  AND NOT relispartition AND attname IS DISTINCT FROM 'tenant_id'
                ORDER BY relname
                """))
        .hasSize(GLOBAL_TABLES.size() + 1)
        .contains(CREDENTIAL)
        .containsAll(GLOBAL_TABLES);
  }

  @Test
  void indexesStartWithTheTenant() {
    assertThat(
            select(
                """
                SELECT index_class.relname FROM pg_index
                JOIN pg_class index_class ON index_class.oid = indexrelid
                JOIN pg_class table_class ON table_class.oid = indrelid
                LEFT JOIN pg_attribute ON attrelid = table_class.oid AND attnum = indkey[0]
                WHERE table_class.relnamespace = 'public'::regnamespace
                  AND NOT table_class.relispartition
                  AND attname IS DISTINCT FROM 'tenant_id'
                  AND table_class.relname NOT IN ('%s')
                ORDER BY index_class.relname
                """
                    .formatted(String.join("','", GLOBAL_TABLES))))
        .containsExactlyElementsOf(CROSS_TENANT_INDEXES);
  }

  @Test
  void referencesStayWithinATenant() {
    assertThat(
            select(
                """
                SELECT conname FROM pg_constraint
                WHERE contype = 'f' AND NOT EXISTS (
                  SELECT 1 FROM pg_attribute AS here
                  JOIN pg_attribute AS there
                    ON there.attrelid = confrelid AND there.attnum = confkey[1]
                  WHERE here.attrelid = conrelid AND here.attnum = conkey[1]
                    AND here.attname = 'tenant_id' AND there.attname = 'tenant_id')
                """))
        .isEmpty();
  }

  @Test
  void statementsOfRequestsNameTheTenant() {
    NewTenant tenant = Samples.tenant(Samples.tenantId());
    stores.tenants().create(tenant, List.of(Samples.entry(tenant.id())));
    List<String> statements = Collections.synchronizedList(new ArrayList<>());
    stores.observe(new StatementObserver(context -> statements.add(context.getRenderedSql())));
    useAll(tenant);
    stores.observe(SqlLogger.NOP_SQL_LOGGER);
    assertThat(statements)
        .hasSizeGreaterThan(20)
        .filteredOn(statement -> !statement.contains("tenant_id"))
        .allMatch(CONTROLS_TRANSACTION);
  }

  private static void useAll(NewTenant tenant) {
    TenantId id = tenant.id();
    PageRequest page = new PageRequest(1, 10);
    KeyHash key = tenant.management().keyHash();
    stores.lookup().load(LookupRequest.caller(List.of(key)), MemoryReservation.UNBOUNDED);
    AuditEntry entry = Samples.entry(id);
    stores.recorder().record(List.of(entry), Preconditions.none(id));
    stores.tenants().egress(id);
    stores.tenants().changeEgress(id, egress -> egress.withUrlHeader(false), entry);
    stores.auditLog().list(id, LogFilter.all(), page);
    stores.auditLog().walk(id, LogFilter.all(), Optional.empty(), 10);
    stores.keys().find(id);
    stores.keys().add(id, List.of(Samples.key(KeyPurpose.DATA, 9)), entry);
    stores.encryptedFields().stale(id, 9, Optional.empty(), 10);
    stores.encryptedFields().countByVersion(id);
    useApplications(id, page, entry);
    useProxies(id, page, entry);
    useTokens(id, page, entry);
  }

  private static void useApplications(TenantId id, PageRequest page, AuditEntry entry) {
    ApplicationStore applications = stores.applications();
    NewApplication application = Samples.application(id);
    ApplicationFilter all = new ApplicationFilter(Set.of(), Set.of());
    KeyGrace grace = new KeyGrace(Duration.ofHours(1));
    ExpectedVersion any = ExpectedVersion.ANY;
    applications.create(application, entry);
    applications.find(id, application.id());
    applications.list(id, all, page, MemoryReservation.UNBOUNDED);
    applications.replaceKey(id, application.id(), Samples.hash(), Optional.empty(), entry);
    applications.replaceKey(
        id, application.id(), any, Samples.hash(), grace, Optional.empty(), entry);
    applications.noteUses(List.of(new ApplicationUse(id, application.id(), Instant.EPOCH)));
    applications.lastUses(id, List.of(application.id()));
    applications.update(id, application.id(), any, Samples.SETTINGS, Optional.empty(), entry);
    applications.delete(id, application.id(), any, entry);
  }

  private static void useProxies(TenantId id, PageRequest page, AuditEntry entry) {
    ProxyStore proxies = stores.proxies();
    NewProxy proxy = Samples.proxy(id);
    ProxyFilter all = new ProxyFilter(Set.of(), Optional.empty());
    proxies.create(proxy, entry);
    stores.credentials().renew(id, proxy.keyHash(), Samples.hash());
    proxies.find(id, proxy.id());
    proxies.list(id, all, page, MemoryReservation.UNBOUNDED);
    proxies.delete(id, proxy.id(), ExpectedVersion.ANY, entry);
  }

  private static void useTokens(TenantId id, PageRequest page, AuditEntry entry) {
    TokenStore tokens = stores.tokens();
    TokenQuery all = TokenQuery.everything();
    NewToken newToken = Samples.deduplicated(Samples.token(id), token -> true);
    Done done = (Done) tokens.create(List.of(newToken), Samples::expiry);
    Token created = done.outcomes().get(0).token().token();
    tokens.list(id, all, TokenScope.everything(), page, MemoryReservation.UNBOUNDED);
    tokens.delete(id, created.id(), created.version(), entry);
  }
}
