package io.tokenvault.server.e2e;

import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.assembly.StartPreparation;
import io.tokenvault.server.assembly.Vault;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.place.Fork;
import io.tokenvault.server.place.FreshPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A server on a free port and an embedded PostgreSQL of its own, in this JVM. Most tests use the
 * {@link #shared} one, each with tenants of its own.
 */
final class RunningVault implements AutoCloseable {

  private static final Path DIRECTORY =
      emptied(Path.of("target", "e2e", Fork.NAME).toAbsolutePath());

  private final Path dataDirectory;
  private final Map<String, String> settings;
  private final Backend backend;
  private final Vault vault;

  private RunningVault(Path dataDirectory, Map<String, String> changes) {
    this.dataDirectory = dataDirectory;
    this.settings = settings(dataDirectory, changes);
    Configuration configuration = Configuration.from(settings);
    this.backend = Backend.forServer(configuration, new SecureRandom());
    this.vault = Vault.start(StartPreparation.of(configuration), backend);
  }

  /** Without what earlier runs left, which is 100 MB each. */
  private static Path emptied(Path directory) {
    try {
      Files.createDirectories(directory);
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .sorted(Comparator.reverseOrder())
            .filter(file -> !file.equals(directory))
            .forEach(file -> file.toFile().delete());
      }
      return directory;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The one that lasts until this JVM ends, with the settings of {@link #start}. */
  static RunningVault shared() {
    return Shared.VAULT;
  }

  /**
   * Starts one with default settings, free port, and the destinations of {@link HttpsDestination}.
   *
   * @param changes settings in place of these
   */
  static RunningVault start(Map<String, String> changes) {
    try {
      Path dataDirectory = Files.createTempDirectory(DIRECTORY, "data-");
      if (!changes.containsKey("VAULT_DATABASE_URL")) {
        FreshPostgres.prepare(dataDirectory);
      }
      return new RunningVault(dataDirectory, changes);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static Map<String, String> settings(Path dataDirectory, Map<String, String> changes) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("VAULT_PORT", "0");
    // Most tests run no transform: a worker is started when one is needed.
    settings.put("VAULT_TRANSFORM_SPARE_WORKERS", "0");
    // Its start is that of a JVM, for which a busy machine may need longer than clients would wait.
    settings.put("VAULT_TRANSFORM_QUEUE_WAIT_MS", "60000");
    settings.put("VAULT_DATA_DIR", dataDirectory.toString());
    settings.put("VAULT_EGRESS_CA_FILE", authorityFile(dataDirectory).toString());
    settings.put("VAULT_EGRESS_PRIVATE_HOSTS", String.join(",", HttpsDestination.privateHosts()));
    settings.put(
        "VAULT_EGRESS_HOST_OVERRIDES",
        HttpsDestination.overriddenHosts().stream()
            .map(host -> host + "=127.0.0.1")
            .collect(Collectors.joining(",")));
    settings.putAll(changes);
    return settings;
  }

  private static Path authorityFile(Path dataDirectory) {
    try {
      return Files.writeString(
          dataDirectory.resolveSibling(dataDirectory.getFileName() + "-ca.pem"),
          HttpsDestination.authorityPem());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Starts one more server on the same database, as a second node would be. */
  Node node(Map<String, String> changes) {
    return node(changes, System::nanoTime);
  }

  /** The same, which counts the rates of requests by this clock. */
  Node node(Map<String, String> changes, LongSupplier nanos) {
    Map<String, String> own = new LinkedHashMap<>(settings);
    own.putAll(changes);
    return new Node(Vault.start(StartPreparation.of(Configuration.from(own)), backend, nanos));
  }

  TenantFixture newTenant() {
    IssuedTenant issued = backend.manageTenants().create(new ResourceName("Test tenant"));
    Client management =
        new Client(this, issued.applicationId().toString(), IssuedKeyLine.text(issued.key()));
    return new TenantFixture(this, issued.tenantId().toString(), management);
  }

  /**
   * A request.
   *
   * @param path with its query, percent-encoded
   */
  Call call(String method, String path) {
    return new Call(method, URI.create(url() + path));
  }

  /** A request without a key or anything else. */
  Answer get(String path) {
    return call("GET", path).send();
  }

  String url() {
    return vault.url();
  }

  /** A request to the listener of operators. */
  Call adminCall(String method, String path) {
    return new Call(method, URI.create(adminUrl() + path));
  }

  String adminUrl() {
    return vault.adminUrl().orElseThrow();
  }

  int port() {
    return URI.create(url()).getPort();
  }

  Path dataDirectory() {
    return dataDirectory;
  }

  Backend backend() {
    return backend;
  }

  @Override
  public void close() {
    vault.close();
    backend.close();
  }

  /** Settings by which a second process would find the same database and destinations. */
  Map<String, String> settings() {
    return Map.copyOf(settings);
  }

  /** One more server on the same database. */
  record Node(Vault vault) implements AutoCloseable {

    Call call(String method, String path) {
      return new Call(method, URI.create(vault.url() + path));
    }

    int port() {
      return URI.create(vault.url()).getPort();
    }

    @Override
    public void close() {
      vault.close();
    }
  }

  /** Made when it is first asked for. */
  private static final class Shared {
    static final RunningVault VAULT = start(Map.of());

    static {
      Runtime.getRuntime().addShutdownHook(new Thread(VAULT::close, "end of the tests"));
    }
  }
}
