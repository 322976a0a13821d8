package io.tokenvault.adapters.jdbi.proxy;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.CompiledModuleStore;
import java.util.Optional;

/** Compiled operator modules in PostgreSQL. An instance is safe for use by many threads. */
public final class JdbiCompiledModules implements CompiledModuleStore {

  /** The version of the only key of a row. */
  private static final int VERSION = 1;

  private final Database database;

  /** Creates the store. */
  public JdbiCompiledModules(Database database) {
    this.database = database;
  }

  @Override
  public Optional<EncryptedModule> find(String contentHash) {
    return database.run(
        handle ->
            handle
                .select(
                    """
                    UPDATE compiled_module SET used_at = clock_timestamp()
                    WHERE content_hash = ?
                    RETURNING wrapped_key, program
                    """,
                    contentHash)
                .map(
                    (row, context) ->
                        new EncryptedModule(
                            new WrappedKey(KeyPurpose.DATA, VERSION, row.getBytes("wrapped_key")),
                            new EncryptedValue(VERSION, row.getBytes("program"))))
                .findOne());
  }

  @Override
  public void save(String contentHash, EncryptedModule module) {
    database.change(
        handle -> {
          handle.execute(
              "DELETE FROM compiled_module WHERE used_at < clock_timestamp() - interval '30 days'");
          return handle.execute(
              """
              INSERT INTO compiled_module (content_hash, wrapped_key, program)
              VALUES (?, ?, ?)
              ON CONFLICT (content_hash) DO UPDATE
              SET wrapped_key = excluded.wrapped_key, program = excluded.program,
                  used_at = excluded.used_at
              """,
              contentHash,
              module.key().wrapped(),
              module.program().ciphertext());
        });
  }
}
