package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.Actor;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.memory.SmallLogKeys;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.usecase.audit.CheckpointedChains;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import io.tokenvault.ports.usecase.audit.LogFinding;
import io.tokenvault.ports.usecase.audit.VerifyLog;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.postgres.PostgresPlugin;

/** A database with an audit log that tests chain and, as its owner, tamper with. */
public final class TamperableLog implements AutoCloseable {

  public static final LogKeys KEYS = new SmallLogKeys();

  public final TestDatabase database = TestDatabase.migrated();
  public final JdbiStores stores = database.stores();
  public final ExtendHashChains chainExtender = new ExtendHashChains(stores.hashChains(), KEYS);

  public TamperableLog() {
    database.asOwner("DROP TRIGGER audit_entry_is_final ON audit_entry");
    database.asOwner("DROP TRIGGER audit_seal_is_final ON audit_seal");
  }

  /** Returns a new tenant with two chain links, of three and two entries. */
  public TenantId chainedTenant() {
    TenantId tenant = Samples.tenantId();
    record(tenant, "first", "second", "third");
    chainExtender.run();
    record(tenant, "fourth", "fifth");
    chainExtender.run();
    return tenant;
  }

  public void record(TenantId tenant, String... messages) {
    for (String message : messages) {
      stores.recorder().record(List.of(entry(tenant, message)), Preconditions.none(tenant));
    }
  }

  public static AuditEntry entry(TenantId tenant, String message) {
    return new AuditEntry(
        tenant,
        Actor.application(new ApplicationId(UUID.randomUUID())),
        EntityType.of(TokenType.TOKEN),
        "a token",
        Operation.READ,
        message,
        Optional.empty());
  }

  /** Records entries in one transaction. */
  public void recordMany(TenantId tenant, int count) {
    List<AuditEntry> entries =
        IntStream.range(0, count).mapToObj(i -> entry(tenant, "entry " + i)).toList();
    stores.recorder().record(entries, Preconditions.none(tenant));
  }

  public Findings verify(TenantId tenant) {
    return verify(tenant, new CheckpointedChains());
  }

  public Findings verify(TenantId tenant, CheckpointedChains checkpoints) {
    List<LogFinding> findings = new ArrayList<>();
    VerifyLog.Report report =
        new VerifyLog(KEYS, checkpoints, Optional.empty(), findings::add)
            .run(stores.chainedLog(), Optional.of(tenant));
    return new Findings(findings, report);
  }

  public CheckpointedChains checkpoint() {
    CheckpointedChains checkpoint = new CheckpointedChains();
    var current = stores.hashChains().ends();
    current.chains().forEach(end -> checkpoint.add(end, current.time()));
    return checkpoint;
  }

  /** Executes a statement as the owner, past all protection; {@code %s} stands for the tenant. */
  public void tamper(TenantId tenant, String sql) {
    database.asOwner(sql.replace("%s", tenant.toString()));
  }

  public List<String> query(TenantId tenant, String sql) {
    return database.asOwner(sql.replace("%s", tenant.toString()));
  }

  /** Opens a transaction that can write entries with MACs. */
  public Handle openTransaction() throws SQLException {
    return Jdbi.create(database.connect())
        .installPlugin(new PostgresPlugin())
        .define("token-vault entry marks", new EntryMarks(KEYS, new SecureRandom()))
        .open()
        .begin();
  }

  @Override
  public void close() {
    stores.close();
  }

  /** The result of a verification. */
  public record Findings(List<LogFinding> all, VerifyLog.Report report) {
    public List<LogFinding.Kind> kinds() {
      return all.stream().map(LogFinding::kind).toList();
    }

    public List<Long> chainLinks() {
      return all.stream().map(finding -> finding.chainLink().orElse(0)).toList();
    }
  }
}
