package io.tokenvault.benchmark.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.DatabaseAddress;
import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.environment.RunningProgram;
import io.tokenvault.server.environment.Unchecked;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The packaged vault, run by its launcher with default settings and the embedded PostgreSQL. */
public final class VaultUnderTest implements AutoCloseable {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Path data;
  private final RunningProgram program;
  private final String url;
  private final double secondsToReady;

  private VaultUnderTest(Path data, RunningProgram program, long begin) {
    this.data = data;
    this.program = program;
    this.url = program.url();
    while (!isReady()) {
      RunningProgram.pause(RunningProgram.POLL_INTERVAL_MILLIS);
    }
    this.secondsToReady = (System.nanoTime() - begin) / 1e9;
  }

  /**
   * Starts a vault that may send requests to this destination, on existing data if there is any,
   * and waits until it is ready.
   */
  public static VaultUnderTest start(
      Workspace workspace, BenchmarkOptions options, Destination destination) {
    Path data = workspace.directory().resolve("data");
    Map<String, String> environment = environment(options);
    environment.putAll(settings(data, destination));
    environment.putAll(options.settings);
    long begin = System.nanoTime();
    RunningProgram program =
        RunningProgram.start(
            "vault",
            workspace.directory(),
            environment,
            List.of(ProjectFiles.launcher().toString(), "serve"));
    workspace.closeLater(program);
    return new VaultUnderTest(data, program, begin);
  }

  /** Returns the variables by which the launcher finds the JVM and its options. */
  private static Map<String, String> environment(BenchmarkOptions options) {
    Path java = Unchecked.get(() -> Path.of(options.java).toRealPath());
    Map<String, String> environment = new HashMap<>();
    environment.put("JAVA_HOME", java.getParent().getParent().toString());
    environment.put("JDK_JAVA_OPTIONS", options.vaultJvmOptions());
    return environment;
  }

  private static Map<String, String> settings(Path data, Destination destination) {
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_DATA_DIR", data.toString());
    settings.put("VAULT_PORT", "0");
    settings.put("VAULT_EGRESS_CA_FILE", destination.authority().toString());
    settings.put("VAULT_EGRESS_PRIVATE_HOSTS", Destination.HOST);
    settings.put("VAULT_EGRESS_HOST_OVERRIDES", Destination.HOST + "=127.0.0.1");
    // All requests are from one application, whose share is 128 at a time by default.
    settings.put("VAULT_MAX_REQUESTS", "2048");
    return settings;
  }

  /** Deletes class archives of earlier runs, which the launcher would use. */
  public static void deleteArchives() {
    ProgramRun.of("rm", "-rf", ProjectFiles.archives().toString()).expectSuccess();
  }

  /**
   * Creates the class archive like the build of an image. Starts with these options use it until
   * the workspace is closed.
   */
  public static void createArchive(Workspace workspace, BenchmarkOptions options) {
    List<String> command = List.of(ProjectFiles.launcher().toString(), "--create-archive");
    String printed = workspace.run(environment(options), command);
    Path archive = Path.of(printed.strip());
    workspace.closeLater(() -> Files.deleteIfExists(archive));
  }

  private boolean isReady() {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/readyz")).build();
    return Unchecked.get(() -> CLIENT.send(request, BodyHandlers.discarding())).statusCode() == 200;
  }

  public String url() {
    return url;
  }

  /** Returns the seconds from the start of the process to the first 200 of {@code /readyz}. */
  public double secondsToReady() {
    return secondsToReady;
  }

  public long pid() {
    return program.pid();
  }

  /** Returns a client with the management key of the first tenant. */
  public ApiClient management() {
    String key = Unchecked.get(() -> Files.readString(data.resolve("first-key.json")));
    return clientWithKey(ApiClient.json(key).path("key").asText());
  }

  public ApiClient clientWithKey(String apiKey) {
    return new ApiClient(url, Map.of("SVC-API-KEY", apiKey));
  }

  /** Creates an application that can create, use, and reveal tokens, and returns its key. */
  public static String createRevealingKey(ApiClient management) {
    ObjectNode draft = TenantFixture.draft("private", "token:create", "token:use");
    draft.set("rules", Json.of(List.of(TenantFixture.rule(1, "/", "reveal", "token:read"))));
    return management.post("/applications", draft).path("key").asText();
  }

  public Path data() {
    return data;
  }

  /** Returns the address of the vault's database. */
  public DatabaseAddress database() {
    return DatabaseAddress.of(data);
  }

  @Override
  public void close() {
    program.close();
  }
}
