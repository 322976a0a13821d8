package example.vault;

import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.store.RequestLookup;
import io.tokenvault.ports.store.document.DocumentStores;
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
 * A vault in a directory: the server's use cases, encryption and expressions on one SQLite file
 * with all stores. The master keyset is in a file next to it.
 */
public record VaultInAFile(
    SqliteStorage storage,
    Authenticator authenticator,
    ManageTenants tenants,
    ManageApplications applications,
    CreateTokens creating,
    VaultTokens tokens,
    ProxyInvocations invocations,
    ReadLogs logs)
    implements AutoCloseable {

  /** Opens or creates the vault in a directory. */
  public static VaultInAFile open(Path directory, InstantSource clock) {
    Path keyset = directory.resolve("master-keyset.json");
    CurrentKeys keys =
        new CurrentKeys(
            Files.exists(keyset)
                ? MasterKeyset.load(keyset, KeysetProtection.clear())
                : MasterKeyset.create(keyset, KeysetProtection.clear()));
    return over(SqliteStorage.open(directory.resolve("vault.db"), clock), keys);
  }

  private static VaultInAFile over(SqliteStorage storage, CurrentKeys keys) {
    SecureRandom randomness = new SecureRandom();
    JacksonJson json = new JacksonJson();
    DocumentStores stores = new DocumentStores(storage, json);
    new KeysetGuard(stores.keysetRegistry()).verify(keys.masterKeys());
    RequestLookup lookup = stores.lookup();
    AuditRecorder recorder = stores.recorder();
    Expressions expressions = new LiquidExpressions(randomness);
    TokenContents contents =
        new TokenContents(keys, keys, expressions, json, new ShortLivedData(Optional.empty()));
    ProxyCipher proxyCipher = new ProxyCipher(keys, json, keys, randomness);
    Authenticator authenticator = new Authenticator(lookup, keys, stores.credentials(), recorder);
    TokenDecryptor tokenDecryptor = new TokenDecryptor(lookup, contents, authenticator, recorder);
    return new VaultInAFile(
        storage,
        authenticator,
        new ManageTenants(
            stores.tenants(), stores.applications(), keys, keys, recorder, randomness),
        new ManageApplications(stores.applications(), keys, recorder, randomness),
        new CreateTokens(stores.tokens(), contents, tokenDecryptor, authenticator, recorder),
        new VaultTokens(
            stores.tokens(), lookup, tokenDecryptor, authenticator, keys, expressions, recorder),
        new ProxyInvocations(
            lookup, keys, authenticator, tokenDecryptor, stores.proxies(), proxyCipher, recorder),
        new ReadLogs(stores.auditLog(), recorder));
  }

  @Override
  public void close() {
    storage.close();
  }
}
