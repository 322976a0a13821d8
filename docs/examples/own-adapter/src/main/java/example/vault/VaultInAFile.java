package example.vault;

import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.key.KeysetGuard;
import io.tokenvault.ports.usecase.proxy.ProxyCipher;
import io.tokenvault.ports.usecase.proxy.ProxyInvocations;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.ShortLivedData;
import io.tokenvault.ports.usecase.token.TokenContents;
import io.tokenvault.ports.usecase.token.TokenDecryptor;
import io.tokenvault.ports.usecase.token.VaultTokens;
import io.tokenvault.server.crypto.CurrentKeys;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.json.JacksonJson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A vault in a directory: the server's use cases, encryption and expressions, over stores in one
 * SQLite file. The master keyset is a file beside it.
 */
public final class VaultInAFile implements AutoCloseable {

  private final SqliteStores stores;
  private final Authenticator authenticator;
  private final ManageTenants tenants;
  private final ManageApplications applications;
  private final CreateTokens creating;
  private final VaultTokens tokens;
  private final ProxyInvocations invocations;
  private final ReadLogs logs;

  private VaultInAFile(SqliteStores stores, CurrentKeys keys, SecureRandom randomness) {
    this.stores = stores;
    RequestLookup lookup = stores.lookup();
    AuditRecorder recorder = stores.recorder();
    Expressions expressions = new LiquidExpressions(randomness);
    JacksonJson json = new JacksonJson();
    TokenContents contents =
        new TokenContents(keys, keys, expressions, json, new ShortLivedData(Optional.empty()));
    ProxyCipher proxyCipher = new ProxyCipher(keys, json, keys, randomness);
    this.authenticator = new Authenticator(lookup, keys, stores.credentials(), recorder);
    TokenDecryptor tokenDecryptor = new TokenDecryptor(lookup, contents, authenticator, recorder);
    this.tenants =
        new ManageTenants(
            stores.tenants(), stores.applications(), keys, keys, recorder, randomness);
    this.applications = new ManageApplications(stores.applications(), keys, recorder, randomness);
    this.creating =
        new CreateTokens(stores.tokens(), contents, tokenDecryptor, authenticator, recorder);
    this.tokens =
        new VaultTokens(
            stores.tokens(), lookup, tokenDecryptor, authenticator, keys, expressions, recorder);
    this.invocations =
        new ProxyInvocations(
            lookup, keys, authenticator, tokenDecryptor, stores.proxies(), proxyCipher, recorder);
    this.logs = new ReadLogs(stores.auditLog(), recorder);
  }

  /** Opens the vault in a directory, or makes it. */
  public static VaultInAFile open(Path directory, InstantSource clock) {
    Path keyset = directory.resolve("master-keyset.json");
    CurrentKeys keys =
        new CurrentKeys(
            Files.exists(keyset)
                ? MasterKeyset.load(keyset, KeysetProtection.clear())
                : MasterKeyset.create(keyset, KeysetProtection.clear()));
    SqliteStores stores = SqliteStores.open(directory.resolve("vault.db"), clock);
    new KeysetGuard(stores.keysetRegistry()).verify(keys.masterKeys());
    return new VaultInAFile(stores, keys, new SecureRandom());
  }

  public Authenticator authenticator() {
    return authenticator;
  }

  public ManageTenants tenants() {
    return tenants;
  }

  public ManageApplications applications() {
    return applications;
  }

  public CreateTokens creating() {
    return creating;
  }

  public VaultTokens tokens() {
    return tokens;
  }

  public ProxyInvocations invocations() {
    return invocations;
  }

  public ReadLogs logs() {
    return logs;
  }

  @Override
  public void close() {
    stores.close();
  }
}
