package io.tokenvault.server;

import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.demo.EchoDestination;
import io.tokenvault.server.demo.VaultClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the code of requests before a server is ready, so that the JVM has loaded and compiled
 * it when the first request arrives.
 *
 * <p>It starts a second vault in this JVM, with an embedded PostgreSQL in a temporary directory and
 * a destination on the loopback interface, and sends it requests over HTTP. Nothing of the vault
 * that is warmed up is used. Stores in memory would leave the code of JDBC cold, which every
 * request executes.
 */
final class WarmUp {

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /** As many concurrent requests as keep all processors busy. */
  private static final int CLIENTS = 4 * Runtime.getRuntime().availableProcessors();

  private WarmUp() {}

  /**
   * Sends requests to a separate vault for the given time, after the few seconds in which it
   * starts. It only makes the first requests faster: a failure is logged and has no other effect.
   *
   * @return the number of successful requests
   */
  static long run(Duration duration) {
    LOG.info("Warming up for {} s, with a separate vault", duration.toSeconds());
    try {
      Path directory = Files.createTempDirectory("token-vault-warm-up-");
      try (EchoDestination destination = EchoDestination.start(directory)) {
        long requests = send(duration, directory, destination);
        LOG.info("Warmed up with {} requests", requests);
        return requests;
      } finally {
        delete(directory);
      }
    } catch (IOException | RuntimeException failed) {
      LOG.warn("The warm-up failed, so the first requests are slow: {}", failed.toString());
      return 0;
    }
  }

  private static long send(Duration duration, Path directory, EchoDestination destination)
      throws IOException {
    // A vault that creates its own keyset logs that it must be backed up.
    Path keyset = directory.resolve("keyset.json");
    MasterKeyset.create(keyset, KeysetProtection.of(Optional.empty()));
    Map<String, String> settings = new HashMap<>();
    destination
        .egressSettings()
        .forEach((setting, value) -> settings.put(setting.variable(), value));
    AtomicReference<String> managementKey = new AtomicReference<>();
    VaultBuilder builder =
        Vault.builder()
            .embedded(directory)
            .keyset(KeysetSource.file(keyset))
            .http(Http.on("127.0.0.1", 0))
            .transforms(Transforms.OFF)
            .firstTenant("Warm-up", tenant -> managementKey.set(IssuedKeyLine.text(tenant.key())))
            .settings(settings);
    try (Vault vault = builder.start()) {
      Requests requests =
          new Requests(vault.url(), managementKey.get(), destination.url() + "/charges");
      return sendUntil(System.nanoTime() + duration.toNanos(), requests);
    }
  }

  private static long sendUntil(long end, Requests requests) {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<CompletableFuture<Long>> clients = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        clients.add(CompletableFuture.supplyAsync(() -> requests.sendUntil(end), threads));
      }
      return clients.stream().mapToLong(CompletableFuture::join).sum();
    } catch (CompletionException failed) {
      throw new IllegalStateException("a request failed", failed.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  /**
   * The requests that applications send most: proxied requests with a token, and the creation and
   * the reading of tokens.
   */
  private static final class Requests {

    private static final ServiceHeaders HEADERS = ServiceHeaders.DEFAULT;

    private final VaultClient client;
    private final List<HttpRequest> requests;

    /** Creates an application, a proxy and a token, which the requests use. */
    Requests(String vault, String managementKey, String destination) throws IOException {
      this.client = new VaultClient(vault);
      String application =
          """
          {"name": "Warm-up", "type": "private", "permissions": ["token:create", "token:use"],
           "rules": [{"description": "All", "priority": 1, "container": "/", "transform": "reveal",
                      "permissions": ["token:read"]}]}\
          """;
      String key =
          VaultClient.text(client.create("/applications", application, managementKey), "key");
      String proxy = "{\"name\": \"Warm-up\", \"destination_url\": \"" + destination + "\"}";
      String proxyKey = VaultClient.text(client.create("/proxies", proxy, managementKey), "key");
      String card = "{\"type\": \"card_number\", \"data\": \"4242424242424242\"}";
      String token = VaultClient.text(client.create("/tokens", card, key), "id");
      HttpRequest creation = client.post("/tokens", card, HEADERS.apiKey(), key);
      HttpRequest read =
          client.get("/tokens/" + token, HEADERS.apiKey(), key, "Accept", "application/json");
      String charge = "{\"card\": \"{{" + token + "}}\", \"note\": \"" + "x".repeat(1000) + "\"}";
      HttpRequest invocation =
          client.post("/proxy", charge, HEADERS.apiKey(), key, HEADERS.proxyKey(), proxyKey);
      this.requests =
          List.of(invocation, invocation, invocation, creation, invocation, invocation, read);
    }

    /**
     * Sends requests one after the other.
     *
     * @param end the time of {@link System#nanoTime} at which it stops
     * @return the number of requests
     */
    long sendUntil(long end) {
      int sent = 0;
      try {
        while (System.nanoTime() < end) {
          client.send(requests.get(sent % requests.size()));
          sent++;
        }
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
      return sent;
    }
  }
}
