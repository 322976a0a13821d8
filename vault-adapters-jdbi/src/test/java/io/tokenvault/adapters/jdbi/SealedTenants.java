package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.memory.SmallLogKeys;
import io.tokenvault.ports.spi.LogKeys;
import io.tokenvault.ports.spi.Versions;
import io.tokenvault.ports.usecase.CheckpointedEnds;
import io.tokenvault.ports.usecase.LogFinding;
import io.tokenvault.ports.usecase.SealLog;
import io.tokenvault.ports.usecase.VerifyLog;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.postgres.PostgresPlugin;

/** A database whose log is sealed by the tests, and whose owner can change it. */
final class SealedTenants implements AutoCloseable {

  static final LogKeys KEYS = new SmallLogKeys();

  final TestDatabase database = TestDatabase.migrated();
  final JdbiStores stores = TestDatabase.stores(database.settings());
  final SealLog sealing = new SealLog(stores.seals(), KEYS);

  SealedTenants() {
    database.asOwner("DROP TRIGGER audit_entry_is_final ON audit_entry");
    database.asOwner("DROP TRIGGER audit_seal_is_final ON audit_seal");
  }

  /** A tenant with entries under two seals, of three and two. */
  TenantId tenant() {
    TenantId tenant = Samples.tenantId();
    record(tenant, "first", "second", "third");
    sealing.run();
    record(tenant, "fourth", "fifth");
    sealing.run();
    return tenant;
  }

  void record(TenantId tenant, String... messages) {
    for (String message : messages) {
      stores.recorder().record(List.of(entry(tenant, message)), Versions.none(tenant));
    }
  }

  static AuditEntry entry(TenantId tenant, String message) {
    return new AuditEntry(
        tenant,
        Actor.application(new ApplicationId(UUID.randomUUID())),
        EntityType.of(TokenType.TOKEN),
        "a token",
        Operation.READ,
        message);
  }

  /** In one transaction. */
  void recordMany(TenantId tenant, int count) {
    List<AuditEntry> entries =
        IntStream.range(0, count).mapToObj(i -> entry(tenant, "entry " + i)).toList();
    stores.recorder().record(entries, Versions.none(tenant));
  }

  Findings verify(TenantId tenant) {
    return verify(tenant, new CheckpointedEnds());
  }

  Findings verify(TenantId tenant, CheckpointedEnds checkpoints) {
    List<LogFinding> findings = new ArrayList<>();
    VerifyLog.Report report =
        new VerifyLog(KEYS, checkpoints, Optional.empty(), findings::add)
            .run(stores.sealedLog(), Optional.of(tenant));
    return new Findings(findings, report);
  }

  CheckpointedEnds checkpoint() {
    CheckpointedEnds ends = new CheckpointedEnds();
    var now = stores.seals().ends();
    now.chains().forEach(end -> ends.add(end, now.time()));
    return ends;
  }

  /** Changes the log past all protection; {@code %s} is the tenant. */
  void tamper(TenantId tenant, String sql) {
    database.asOwner(sql.replace("%s", tenant.toString()));
  }

  List<String> ask(TenantId tenant, String sql) {
    return database.asOwner(sql.replace("%s", tenant.toString()));
  }

  /** A transaction that writes entries and commits when it is told to. */
  Handle openTransaction() throws SQLException {
    DatabaseSettings.Login owner = TestDatabase.owner();
    Connection connection =
        DriverManager.getConnection(
            database.url(),
            owner.user(),
            new String(owner.password().open(), StandardCharsets.UTF_8));
    return Jdbi.create(connection)
        .installPlugin(new PostgresPlugin())
        .define("token-vault entry marks", new EntryMarks(KEYS, new SecureRandom()))
        .open()
        .begin();
  }

  @Override
  public void close() {
    stores.close();
  }

  /** What verifying told. */
  record Findings(List<LogFinding> all, VerifyLog.Report report) {
    List<LogFinding.Kind> kinds() {
      return all.stream().map(LogFinding::kind).toList();
    }

    List<Long> seals() {
      return all.stream().map(finding -> finding.seal().orElse(0)).toList();
    }
  }
}
