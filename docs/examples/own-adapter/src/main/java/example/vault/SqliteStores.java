package example.vault;

import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.KeyStore;
import io.tokenvault.ports.spi.KeysetRegistry;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.spi.RequestLookup;
import io.tokenvault.ports.spi.SealedFields;
import io.tokenvault.ports.spi.TenantStore;
import io.tokenvault.ports.spi.TokenStore;
import java.nio.file.Path;
import java.time.InstantSource;

/** The vault's stores over one SQLite file. All threads may share them. */
public final class SqliteStores implements AutoCloseable {

  private final Database database;
  private final Contents contents;

  private SqliteStores(Database database) {
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

  public SealedFields sealedFields() {
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
