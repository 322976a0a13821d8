package io.tokenvault.benchmark.program;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The packaged vault, run by its launcher with default settings and the embedded PostgreSQL. */
public final class VaultUnderTest implements AutoCloseable {

  private static final String DATA = "data";

  private final Path data;
  private final RunningProgram program;
  private final String url;

  private VaultUnderTest(Path data, RunningProgram program) {
    this.data = data;
    this.program = program;
    this.url = program.url();
  }

  /** Starts one whose requests may go to this destination; on the same data if there are some. */
  public static VaultUnderTest start(
      Workspace workspace, Options options, Destination destination) {
    Path data = workspace.directory().resolve(DATA);
    RunningProgram program = launch(workspace, options, settings(data, destination));
    return workspace.keep(new VaultUnderTest(data, program));
  }

  private static Map<String, String> settings(Path data, Destination destination) {
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_DATA_DIR", data.toString());
    settings.put("VAULT_PORT", "0");
    settings.put("VAULT_EGRESS_CA_FILE", destination.authority().toString());
    settings.put("VAULT_EGRESS_PRIVATE_HOSTS", Destination.HOST);
    settings.put("VAULT_EGRESS_HOST_OVERRIDES", Destination.HOST + "=127.0.0.1");
    // One application may send all requests; by default, its share is 128 at a time.
    settings.put("VAULT_MAX_REQUESTS", "2048");
    return settings;
  }

  /** Starts the program again on the same data, without waiting for it. */
  public static RunningProgram launchAgain(
      Workspace workspace, Options options, Destination destination, int port) {
    Map<String, String> settings = settings(workspace.directory().resolve(DATA), destination);
    settings.put("VAULT_PORT", Integer.toString(port));
    return launch(workspace, options, settings);
  }

  /** Deletes archives of the launcher that an earlier run has left, which starts would use. */
  public static void deleteArchives() {
    try (DirectoryStream<Path> archives = Files.newDirectoryStream(Project.archives())) {
      for (Path archive : archives) {
        Files.delete(archive);
      }
    } catch (NoSuchFileException none) {
      // None was ever created.
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * Has the launcher create its archive, as the build of an image does: later starts with these
   * options use it, until the workspace is closed.
   */
  public static void createArchive(Workspace workspace, Options options) {
    RunningProgram launcher = run(workspace, options, Map.of(), "--create-archive");
    Path archive = Path.of(launcher.outputAtEnd().strip());
    workspace.keep(() -> Files.deleteIfExists(archive));
  }

  private static RunningProgram launch(
      Workspace workspace, Options options, Map<String, String> own) {
    Map<String, String> settings = new HashMap<>(own);
    settings.putAll(options.settings);
    return run(workspace, options, settings, "serve");
  }

  private static RunningProgram run(
      Workspace workspace, Options options, Map<String, String> settings, String command) {
    Map<String, String> environment = new HashMap<>(settings);
    Jvm jvm = options.vaultJvm();
    environment.put("JAVA_HOME", jvm.home().toString());
    environment.put("JDK_JAVA_OPTIONS", String.join(" ", jvm.options()));
    return RunningProgram.start(
        "vault",
        workspace.directory(),
        environment,
        List.of(Project.launcher().toString(), command));
  }

  public String url() {
    return url;
  }

  public long pid() {
    return program.pid();
  }

  /** Requests of the first tenant's management application. */
  public Api management() {
    try {
      JsonNode key = Api.json(Files.readString(data.resolve("first-key.json")));
      return as(key.path("key").asText());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public Api as(String apiKey) {
    return new Api(url, Map.of("SVC-API-KEY", apiKey));
  }

  /** A new application's key; it may do everything with tokens, and sees them as they are. */
  public static String revealingKey(Api management) {
    Map<String, Object> reveal =
        Map.of(
            "description", "all",
            "priority", 1,
            "container", "/",
            "transform", "reveal",
            "permissions", List.of("token:read"));
    return management
        .post(
            "/applications",
            Map.of(
                "name",
                "caller",
                "type",
                "private",
                "permissions",
                List.of("token:create", "token:use"),
                "rules",
                List.of(reveal)))
        .path("key")
        .asText();
  }

  public Path data() {
    return data;
  }

  /** Its database, as its owner sees it. */
  public Database database() {
    return Database.of(data);
  }

  @Override
  public void close() {
    program.close();
  }
}
