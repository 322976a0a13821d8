package io.tokenvault.server.e2e.guarantee;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.faults.PostgresRelay.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A fault that prevents the vault from writing audit entries, or from knowing that it did. */
public enum AuditFault {
  INSERT_FAILS {
    @Override
    public AutoCloseable start(FaultyVault faulty) {
      faulty.runSql(
          """
          CREATE FUNCTION fail_on_purpose() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$;
          CREATE TRIGGER on_purpose BEFORE INSERT ON audit_entry
            FOR EACH ROW EXECUTE FUNCTION fail_on_purpose()
          """);
      return () ->
          faulty.runSql("DROP TRIGGER on_purpose ON audit_entry; DROP FUNCTION fail_on_purpose()");
    }
  },
  /** PostgreSQL reports a missing partition as a violated check constraint. */
  PARTITION_MISSING {
    @Override
    public AutoCloseable start(FaultyVault faulty) {
      faulty.runSql("ALTER TABLE audit_entry ADD CONSTRAINT on_purpose CHECK (false) NOT VALID");
      return () -> faulty.runSql("ALTER TABLE audit_entry DROP CONSTRAINT on_purpose");
    }
  },
  INSERT_PRIVILEGE_REVOKED {
    @Override
    public AutoCloseable start(FaultyVault faulty) {
      faulty.runSql("REVOKE INSERT ON audit_entry FROM vault_runtime");
      return () -> faulty.runSql("GRANT INSERT ON audit_entry TO vault_runtime");
    }
  },
  INSERT_HANGS {
    @Override
    public AutoCloseable start(FaultyVault faulty) throws SQLException {
      Connection connection = faulty.connectAsOwner();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("LOCK TABLE audit_entry IN EXCLUSIVE MODE");
      }
      return connection;
    }
  },
  DATABASE_READ_ONLY {
    @Override
    public AutoCloseable start(FaultyVault faulty) {
      configure(faulty, "SET default_transaction_read_only = on", "on");
      return () -> configure(faulty, "RESET default_transaction_read_only", "off");
    }

    /** Changes a setting and waits until this connection sees it; all are notified together. */
    private void configure(FaultyVault faulty, String change, String value) {
      faulty.runSql("ALTER SYSTEM " + change);
      faulty.runSql("SELECT pg_reload_conf()");
      Eventually.holds(
          "read only: " + value,
          TIMEOUT,
          () -> faulty.runSql("SHOW default_transaction_read_only").contains(value));
    }
  },
  CONNECTION_SILENT {
    @Override
    public AutoCloseable start(FaultyVault faulty) {
      return failRelay(faulty, Fault.HELD);
    }
  },
  CONNECTION_CLOSED_BEFORE_COMMIT {
    @Override
    public AutoCloseable start(FaultyVault faulty) {
      return failRelay(faulty, Fault.CLOSED_BEFORE_COMMIT);
    }
  },
  CONNECTION_CLOSED_AFTER_COMMIT {
    @Override
    public AutoCloseable start(FaultyVault faulty) {
      return failRelay(faulty, Fault.CLOSED_AFTER_COMMIT);
    }
  },
  DISK_FULL {
    @Override
    public AutoCloseable start(FaultyVault faulty) {
      return FullDisk.ofAuditLog(faulty);
    }
  };

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** Starts the fault; closing the returned object ends it. */
  public abstract AutoCloseable start(FaultyVault faulty) throws SQLException;

  /** Returns whether entries are written although the vault receives an error. */
  public boolean commits() {
    return this == CONNECTION_CLOSED_AFTER_COMMIT;
  }

  private static AutoCloseable failRelay(FaultyVault faulty, Fault fault) {
    faulty.relay().fail(fault);
    return () -> faulty.relay().fail(Fault.NONE);
  }
}
