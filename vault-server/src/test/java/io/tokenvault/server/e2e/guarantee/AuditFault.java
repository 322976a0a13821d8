package io.tokenvault.server.e2e.guarantee;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.faults.PostgresRelay.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A fault that prevents the vault from writing audit entries, or from knowing that it did. */
public enum AuditFault {
  THE_INSERT_FAILS {
    @Override
    public AutoCloseable begin(FaultyVault faulty) {
      faulty.asOwner(
          """
          CREATE FUNCTION fail_on_purpose() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$;
          CREATE TRIGGER on_purpose BEFORE INSERT ON audit_entry
            FOR EACH ROW EXECUTE FUNCTION fail_on_purpose()
          """);
      return () ->
          faulty.asOwner("DROP TRIGGER on_purpose ON audit_entry; DROP FUNCTION fail_on_purpose()");
    }
  },
  /** PostgreSQL reports a missing partition as a violated check constraint. */
  NO_PARTITION_TAKES_THE_ENTRY {
    @Override
    public AutoCloseable begin(FaultyVault faulty) {
      faulty.asOwner("ALTER TABLE audit_entry ADD CONSTRAINT on_purpose CHECK (false) NOT VALID");
      return () -> faulty.asOwner("ALTER TABLE audit_entry DROP CONSTRAINT on_purpose");
    }
  },
  THE_RIGHT_TO_INSERT_IS_GONE {
    @Override
    public AutoCloseable begin(FaultyVault faulty) {
      faulty.asOwner("REVOKE INSERT ON audit_entry FROM vault_runtime");
      return () -> faulty.asOwner("GRANT INSERT ON audit_entry TO vault_runtime");
    }
  },
  THE_INSERT_HANGS {
    @Override
    public AutoCloseable begin(FaultyVault faulty) throws SQLException {
      Connection connection = faulty.connectAsOwner();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("LOCK TABLE audit_entry IN EXCLUSIVE MODE");
      }
      return connection;
    }
  },
  THE_DATABASE_IS_READ_ONLY {
    @Override
    public AutoCloseable begin(FaultyVault faulty) {
      set(faulty, "SET default_transaction_read_only = on", "on");
      return () -> set(faulty, "RESET default_transaction_read_only", "off");
    }

    /** All connections, including this one, reload the configuration a little later. */
    private void set(FaultyVault faulty, String change, String value) {
      faulty.asOwner("ALTER SYSTEM " + change);
      faulty.asOwner("SELECT pg_reload_conf()");
      Eventually.holds(
          "read only: " + value,
          PATIENCE,
          () -> faulty.asOwner("SHOW default_transaction_read_only").contains(value));
    }
  },
  THE_CONNECTION_SAYS_NOTHING_ANY_MORE {
    @Override
    public AutoCloseable begin(FaultyVault faulty) {
      return onTheWire(faulty, Fault.HELD);
    }
  },
  THE_CONNECTION_ENDS_BEFORE_THE_COMMIT {
    @Override
    public AutoCloseable begin(FaultyVault faulty) {
      return onTheWire(faulty, Fault.CLOSED_BEFORE_COMMIT);
    }
  },
  THE_CONNECTION_ENDS_AFTER_THE_COMMIT {
    @Override
    public AutoCloseable begin(FaultyVault faulty) {
      return onTheWire(faulty, Fault.CLOSED_AFTER_COMMIT);
    }
  },
  THE_DISK_IS_FULL {
    @Override
    public AutoCloseable begin(FaultyVault faulty) {
      return FullDisk.ofAuditLog(faulty);
    }
  };

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Starts the fault; closing the returned object ends it. */
  public abstract AutoCloseable begin(FaultyVault faulty) throws SQLException;

  /** Returns whether entries are written although the vault receives an error. */
  public boolean commits() {
    return this == THE_CONNECTION_ENDS_AFTER_THE_COMMIT;
  }

  private static AutoCloseable onTheWire(FaultyVault faulty, Fault fault) {
    faulty.relay().fail(fault);
    return () -> faulty.relay().fail(Fault.NONE);
  }
}
