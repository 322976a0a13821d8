package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.FreshPostgres;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the audit log on standard output of one of several servers when servers are killed. */
@Timeout(600)
@Tag("long")
final class StreamedLogTest {

  private final Path directory = DataDirectories.fresh();
  private final List<VaultProcess> servers = new ArrayList<>();
  private EmbeddedPostgres postgres;
  private Map<String, String> settings;
  private JsonNode tenant;

  @BeforeEach
  void start() {
    postgres = FreshPostgres.in(directory);
    Path keyset = directory.resolveSibling("keys.json");
    CommandRun.run(Map.of(), "keys", "init", keyset.toString()).expectExit(0);
    settings = DataDirectories.settings(postgres, keyset);
    settings.put("VAULT_AUDIT_STREAM", "stdout");
    tenant = CommandRun.run(settings, "tenant", "create", "--name", "t").json();
  }

  @AfterEach
  void stop() {
    servers.forEach(VaultProcess::close);
    postgres.close();
  }

  private VaultProcess serve() {
    VaultProcess server = VaultProcess.serve(settings);
    servers.add(server);
    return server;
  }

  /** Creates applications, whose ids identify their audit entries. */
  private List<String> createApplications(VaultProcess server, String name, int times) {
    Client management = new Client(server.url(), tenant);
    ObjectNode draft = TenantFixture.draft("private", "token:create");
    return IntStream.range(0, times)
        .mapToObj(i -> management.post("/applications", draft.put("name", name + i)).text("id"))
        .toList();
  }

  /** Returns the complete lines of standard output, which has only audit entries. */
  private static List<JsonNode> streamed(VaultProcess server) {
    String out = server.out();
    return out.substring(0, out.lastIndexOf('\n') + 1).lines().map(Json::parse).toList();
  }

  private static List<String> values(String field, List<JsonNode> lines) {
    return lines.stream().map(line -> line.path(field).asText()).toList();
  }

  @Test
  void oneServerStreamsAndAnotherContinuesWhenItIsKilled() {
    VaultProcess first = serve();
    List<String> expected = new ArrayList<>(createApplications(first, "first", 5));
    first.await(
        "the first entries", () -> values("entity_id", streamed(first)).containsAll(expected));
    VaultProcess second = serve();
    expected.addAll(createApplications(second, "second", 5));
    first.await("all entries", () -> values("entity_id", streamed(first)).containsAll(expected));
    assertThat(streamed(second)).isEmpty();
    assertThat(values("position", streamed(first))).doesNotHaveDuplicates();

    first.kill();
    List<String> later = createApplications(second, "third", 5);
    second.await("the others", () -> values("entity_id", streamed(second)).containsAll(later));
    List<JsonNode> all = new ArrayList<>(streamed(first));
    all.addAll(streamed(second));
    assertThat(values("entity_id", all)).containsAll(expected).containsAll(later);
    assertThat(values("position", streamed(second))).doesNotHaveDuplicates();
    assertThat(values("log", all)).containsOnly("audit");
    assertRestartContinuesWithoutRepetition(second);
  }

  private void assertRestartContinuesWithoutRepetition(VaultProcess server) {
    server.close();
    List<JsonNode> lines = new ArrayList<>(streamed(server));
    VaultProcess restarted = serve();
    List<String> created = createApplications(restarted, "again", 3);
    restarted.await(
        "the entries", () -> values("entity_id", streamed(restarted)).containsAll(created));
    lines.addAll(streamed(restarted));
    assertThat(values("position", lines)).doesNotHaveDuplicates();
  }
}
