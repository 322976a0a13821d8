package example.vault;

import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.CredentialStore;
import io.tokenvault.ports.store.EncryptedFields;
import io.tokenvault.ports.store.KeyStore;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.Readiness;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.store.TokenStore;
import java.nio.file.Path;
import java.time.InstantSource;

/** The vault's stores over one SQLite file. All threads may share them. */
public final class SqliteStores implements AutoCloseable {

  private final Database database;
  private final Contents contents;

  SqliteStores(Database database) {
    this.database = database;
    this.contents = new Contents(database);
  }

  /**
   * Opens the file, or makes it.
   *
   * @param clock what all times come from
   */
  public static SqliteStores open(Path file, InstantSource clock) {
    return new SqliteStores(Database.open(file, clock));
  }

  public ApplicationStore applications() {
    return new Applications(contents);
  }

  public ProxyStore proxies() {
    return new Proxies(contents);
  }

  public TokenStore tokens() {
    return new Tokens(contents);
  }

  public TenantStore tenants() {
    return new Tenants(contents);
  }

  public KeyStore keys() {
    return new Keys(contents);
  }

  public CredentialStore credentials() {
    return contents.credentials;
  }

  public EncryptedFields encryptedFields() {
    return new Fields(contents);
  }

  public KeysetRegistry keysetRegistry() {
    return new Nodes(contents);
  }

  public AuditLog auditLog() {
    return contents.entries;
  }

  public RequestLookup lookup() {
    return new Requests(contents);
  }

  public AuditRecorder recorder() {
    return new Recorder(contents);
  }

  public Readiness readiness() {
    return database::isReady;
  }

  @Override
  public void close() {
    database.close();
  }
}
