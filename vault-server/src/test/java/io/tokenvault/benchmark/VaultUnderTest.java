package io.tokenvault.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.VaultServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The vault as it is run: its jar in a JVM of its own, with the PostgreSQL that it starts itself
 * and with its default settings.
 */
final class VaultUnderTest implements AutoCloseable {

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
  static VaultUnderTest start(Workspace workspace, Options options, Destination destination) {
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_EGRESS_CA_FILE", destination.authority().toString());
    settings.put("VAULT_EGRESS_PRIVATE_HOSTS", Destination.HOST);
    settings.put("VAULT_EGRESS_HOST_OVERRIDES", Destination.HOST + "=127.0.0.1");
    return start(workspace, options, settings);
  }

  static VaultUnderTest start(Workspace workspace, Options options, Map<String, String> more) {
    Path data = workspace.directory().resolve(DATA);
    Map<String, String> settings = new HashMap<>(more);
    settings.put("VAULT_DATA_DIR", data.toString());
    settings.put("VAULT_PORT", "0");
    settings.putAll(options.settings);
    Jvm jvm = options.jvm().with(options.jvmOptions.toArray(String[]::new));
    RunningProgram program =
        RunningProgram.start(
            "vault",
            workspace.directory(),
            settings,
            jvm.command("-jar", jar().toString(), "serve"));
    return workspace.keep(new VaultUnderTest(data, program));
  }

  /** The packaged program beside the classes that this is run from. */
  private static Path jar() {
    try {
      Path classes =
          Path.of(VaultServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path jar = Files.isDirectory(classes) ? classes.resolveSibling("vault-server.jar") : classes;
      if (!Files.isRegularFile(jar)) {
        throw new IllegalStateException(jar + " is not there; package the project first");
      }
      return jar;
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  String url() {
    return url;
  }

  long pid() {
    return program.pid();
  }

  /** Requests of the first tenant's management application. */
  Api management() {
    try {
      JsonNode key = Api.json(Files.readString(data.resolve("first-key.json")));
      return as(key.path("key").asText());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  Api as(String apiKey) {
    return new Api(url, Map.of("SVC-API-KEY", apiKey));
  }

  /** A new application's key. */
  String privateKey(String... permissions) {
    return management()
        .post(
            "/applications",
            Map.of("name", "caller", "type", "private", "permissions", List.of(permissions)))
        .path("key")
        .asText();
  }

  /** Its database, as its owner sees it. */
  Database database() {
    return Database.of(data);
  }

  @Override
  public void close() {
    program.close();
  }
}
