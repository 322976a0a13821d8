package io.tokenvault.server;

import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.ExplainAccess;
import io.tokenvault.ports.usecase.authorization.Requirement;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.VaultTokens;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.assembly.StartPreparation;
import io.tokenvault.server.assembly.VaultNode;
import io.tokenvault.server.config.Configuration;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A vault that runs in this JVM: a node with its database connections, background tasks and, unless
 * turned off, HTTP listeners.
 *
 * <pre>{@code
 * try (Vault vault =
 *     Vault.builder()
 *         .database(Postgres.using(requests, owner))
 *         .keyset(KeysetSource.file(Path.of("/etc/vault/keyset.json")))
 *         .metrics(meterRegistry)
 *         .http(Http.on("127.0.0.1", 8080))
 *         .transforms(Transforms.OFF)
 *         .auditFeed("kafka", sink)
 *         .start()) {
 *   Caller caller = vault.authenticate(apiKey);
 *   TokenView token = vault.tokens().read(caller, id);
 * }
 * }</pre>
 *
 * <p>Use cases decide and record exactly as HTTP requests do: no data without permission, and none
 * without a durable audit entry. Several vaults can run in one JVM. Thread-safe.
 */
public final class Vault implements AutoCloseable {

  private final StartPreparation prepared;
  private final Backend backend;
  private final VaultNode node;
  private final AtomicBoolean closed = new AtomicBoolean();

  Vault(StartPreparation prepared, Backend backend, VaultNode node) {
    this.prepared = prepared;
    this.backend = backend;
    this.node = node;
  }

  /** Returns a builder whose database and keyset have to be set. */
  public static VaultBuilder builder() {
    return new VaultBuilder(Optional.empty(), new SecureRandom());
  }

  /**
   * Returns a builder with all settings of an operator, as {@code serve} uses it.
   *
   * @param randomness the source of keys and ids
   */
  public static VaultBuilder builder(Configuration configuration, SecureRandom randomness) {
    return new VaultBuilder(Optional.of(configuration), randomness);
  }

  /**
   * Returns the application that a key belongs to. Authenticate for each operation, since keys
   * expire and permissions change.
   *
   * @param apiKey the key as a client sends it
   * @throws io.tokenvault.domain.failure.RefusedException if the key is not valid
   * @throws io.tokenvault.domain.failure.RateLimitedException if the application exceeded its rate
   *     limit
   */
  public Caller authenticate(String apiKey) {
    return node.useCases()
        .authenticator()
        .authenticate(Optional.ofNullable(apiKey), Requirement.VALID_KEY);
  }

  /** Returns the application that a newly issued key belongs to. */
  public Caller authenticate(ApiKey apiKey) {
    return authenticate(IssuedKeyLine.text(apiKey));
  }

  /** Returns the use case that creates, changes and removes tenants, for the operator. */
  public ManageTenants tenants() {
    return backend.manageTenants();
  }

  /** Returns the use case that manages applications and their API keys. */
  public ManageApplications applications() {
    return node.useCases().applications();
  }

  /** Returns the use case that reads, searches, detokenizes and deletes tokens. */
  public VaultTokens tokens() {
    return node.useCases().tokens();
  }

  /** Returns the use case that creates tokens. */
  public CreateTokens createTokens() {
    return node.useCases().createTokens();
  }

  /** Returns the use case that updates tokens. */
  public ChangeTokens changeTokens() {
    return node.useCases().changeTokens();
  }

  /** Returns the use case that manages proxies. */
  public ManageProxies proxies() {
    return node.useCases().proxies();
  }

  /** Returns the use case that sends requests through proxies. */
  public InvokeProxy invocations() {
    return node.useCases().proxy();
  }

  /** Returns the use case that explains access decisions. */
  public ExplainAccess access() {
    return node.useCases().access();
  }

  /** Returns the use case that reads the audit log. */
  public ReadLogs logs() {
    return node.useCases().logs();
  }

  /** Returns whether the vault can serve requests now. */
  public boolean isReady() {
    return node.useCases().readiness().isReady();
  }

  /**
   * Returns the base URL of the API, with the port that was bound.
   *
   * @throws IllegalStateException if the vault was built without HTTP
   */
  public String url() {
    return node.url();
  }

  /** Returns the base URL of the admin listener; empty if there is none. */
  public Optional<String> adminUrl() {
    return node.adminUrl();
  }

  /**
   * Finishes the requests in flight and stops everything that the vault started: listeners,
   * threads, worker processes, connection pools and the embedded PostgreSQL. Objects that were
   * passed to the builder are not closed. Closing it again does nothing.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try (prepared;
          backend) {
        node.close();
      }
    }
  }
}
