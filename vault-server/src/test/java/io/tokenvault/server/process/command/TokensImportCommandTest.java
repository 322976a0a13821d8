package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.Operator;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the import of tokens while a server runs. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TokensImportCommandTest {

  @TempDir private Path directory;
  private String tenant;
  private Client management;
  private Client reader;
  private Path file;
  private Path rejects;

  @BeforeAll
  void createReader() {
    JsonNode issued = Operator.newTenant("Import");
    tenant = issued.path("tenant_id").asText();
    management = Operator.http(issued);
    JsonNode draft = TenantFixture.revealingDraft("token:read", "token:search");
    reader = Operator.http(management.post("/applications", draft).expect(201).json());
  }

  @BeforeEach
  void newFile() {
    file = directory.resolve(UUID.randomUUID() + ".jsonl");
    rejects = file.resolveSibling(file.getFileName() + ".rejects");
  }

  private CommandRun run(String... options) {
    return Operator.command(command(options));
  }

  private String[] command(String... options) {
    List<String> command = new ArrayList<>(List.of("tokens", "import", "--tenant", tenant));
    command.addAll(List.of(options));
    command.add(file.toString());
    return command.toArray(String[]::new);
  }

  private static JsonNode count(CommandRun run, int exit) {
    return Json.parse(run.expectExit(exit).out());
  }

  private void write(String... lines) throws IOException {
    Files.write(file, List.of(lines));
  }

  private String dataOf(String id) {
    return reader.get("/tokens/" + id).expect(200).text("data");
  }

  private long tokens() {
    return reader.get("/tokens?size=1").totalItems();
  }

  private static String line(String id, String text) {
    return "{\"id\":\"" + id + "\",\"type\":\"token\",\"data\":\"" + text + "\"}";
  }

  private static String withoutId(String text) {
    return "{\"type\":\"token\",\"data\":\"" + text + "\"}";
  }

  @Test
  void eachLineBecomesRecordedToken() throws IOException {
    write(
        line("first-of-them", "one"),
        "",
        "{\"type\":\"social_security_number\",\"data\":\"123-45-6789\",\"metadata\":{\"from\":\"x\"}}");
    long before = tokens();
    JsonNode count = count(run(), 0);
    assertThat(count.path("imported").asLong()).isEqualTo(2);
    assertThat(count.path("finished").asBoolean()).isTrue();
    assertThat(dataOf("first-of-them")).isEqualTo("one");
    JsonNode other = reader.get("/tokens?metadata.from=x").get("data").path(0);
    assertThat(other.path("data").asText()).isEqualTo("123-45-6789");
    assertThat(other.path("containers").path(0).asText()).isEqualTo("/pii/high/");
    JsonNode imported =
        management.get("/logs?operation=create&entity_id=first-of-them").get("data");
    assertThat(imported)
        .extracting(entry -> Json.properties(entry, "message", "actor_type"))
        .containsExactly(List.of("Token imported", "system"));
    assertThat(tokens()).isEqualTo(before + 2);

    assertThat(count(run(), 0).path("imported").asLong()).isZero();
    assertThat(tokens()).isEqualTo(before + 2);

    // A line as the API returns it: read-only fields are ignored.
    JsonNode listed = reader.get("/tokens?id=first-of-them").get("data").path(0);
    assertThat(listed.has("created_at")).isTrue();
    newFile();
    write(listed.toString().replace("first-of-them", "listed-after"));
    assertThat(count(run(), 0).path("imported").asLong()).isEqualTo(1);
    assertThat(dataOf("listed-after")).isEqualTo("one");
  }

  @Test
  void importKilledAfterCommitImportsNothingTwice() throws IOException {
    String[] lines =
        IntStream.range(0, 1200)
            .mapToObj(i -> i % 2 == 0 ? line("key-" + i, "v" + i) : withoutId("v" + i))
            .toArray(String[]::new);
    write(lines);
    long before = tokens();
    write(Stream.of(lines).limit(500).toArray(String[]::new));
    count(run(), 0);
    String savedProgress = Files.readString(progressFile());
    write(Stream.of(lines).limit(700).toArray(String[]::new));
    count(run(), 0);
    // Simulates an import that was killed before it saved its progress.
    Files.writeString(progressFile(), savedProgress);
    write(lines);

    JsonNode count = count(run(), 0);

    assertThat(count.path("skipped").asLong()).isEqualTo(700);
    assertThat(count.path("imported").asLong()).isEqualTo(500);
    assertThat(tokens()).isEqualTo(before + 1200);
    assertThat(dataOf("key-1198")).isEqualTo("v1198");
    assertThat(DataDirectories.permissions(progressFile())).isEqualTo("rw-------");
  }

  @Test
  void firstInvalidLineStopsImportAndCorrectedFileContinuesIt() throws IOException {
    write(line("good-one", "a"), line("good-two", "b").replace("token", "tokken"), "not json");
    CommandRun stopped = run();
    JsonNode count = count(stopped, 4);
    assertThat(count.path("finished").asBoolean()).isFalse();
    assertThat(count.path("imported").asLong()).isEqualTo(1);
    assertThat(stopped.err()).contains("\"line\":2", "must be one of");
    write(line("good-one", "a"), line("good-two", "b"));
    count = count(run(), 0);
    assertThat(count.path("skipped").asLong()).isEqualTo(1);
    assertThat(count.path("imported").asLong()).isEqualTo(1);
  }

  @Test
  void faultyLinesAreRejectedByNumberWithoutTheirContent() throws IOException {
    write(
        line("secret-id", "x"),
        "{\"type\":\"card_number\",\"data\":\"4111111111111112\"}",
        "4242424242424242",
        line("an-alias {{ data | alias_preserve_format: 1, 1 }}", "planted"),
        line("secret-id", "another"),
        "{\"type\":\"token\",\"data\":1,\"mask\":[\"{{ planted\"],\"colour\":\"planted\"}");
    JsonNode dry = count(run("--dry-run", "--rejects", rejects + ".dry"), 4);
    assertThat(dry.path("valid").asLong()).isEqualTo(2);
    reader.get("/tokens/secret-id").expect(404);

    JsonNode count = count(run("--rejects", rejects.toString()), 4);

    assertThat(count.path("imported").asLong()).isEqualTo(1);
    assertThat(count.path("rejected").asLong()).isEqualTo(5);
    assertThat(dataOf("secret-id")).isEqualTo("x");
    assertThat(rejectedLines()).containsExactlyInAnyOrder(2, 3, 4, 5, 6);
    assertThat(Files.readString(rejects))
        .contains("is not a known field", "is the id of another token", "must not be an expression")
        .contains("\"mask[0]\":[\"has {{ without }}")
        .doesNotContain("planted", "4111111111111112", "4242424242424242");
    assertThat(DataDirectories.permissions(rejects)).isEqualTo("rw-------");
  }

  @Test
  void tooLongLineIsRejectedLikeAnyOther() throws IOException {
    int tooMany = (16 << 20) + 1;
    write(line("before-it", "a"), line("too-long", "y".repeat(tooMany)), line("after-it", "b"));
    JsonNode count = count(run("--rejects", rejects.toString()), 4);

    assertThat(count.path("imported").asLong()).isEqualTo(2);
    assertThat(count.path("rejected").asLong()).isEqualTo(1);
    assertThat(Files.readAllLines(rejects))
        .containsExactly("{\"line\":2,\"errors\":{\"error\":[\"is longer than 16777216 bytes\"]}}");
    assertThat(dataOf("after-it")).isEqualTo("b");
  }

  /** Runs with a heap of 256 MiB. */
  @Test
  @Tag("long")
  void longLinesAndUnterminatedLineFitIntoSmallHeap() throws IOException {
    String data = "y".repeat(1_000_000);
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (int i = 0; i < 200; i++) {
        out.write(withoutId(data + i) + "\n");
      }
      for (int i = 0; i < 600; i++) {
        out.write(data);
      }
    }
    VaultProcess run =
        VaultProcess.run(RunningVault.shared().settings(), command("--rejects", rejects.toString()))
            .expectExit(4);

    assertThat(Json.parse(run.out()).path("imported").asLong()).isEqualTo(200);
    assertThat(rejectedLines()).containsExactly(201);
    Files.delete(file);
  }

  @Test
  void laterLineWithUsedIdIsRejectedWhateverItsContent() throws IOException {
    String partial = ",\"fingerprint_expression\":\"{{ data.a }}\",\"type\":\"token\"";
    List<String> lines = new ArrayList<>();
    lines.add("{\"id\":\"far-away\",\"data\":{\"a\":\"1\",\"b\":\"first\"}" + partial + "}");
    lines.add(line("same-twice", "same"));
    lines.add(line("same-twice", "same"));
    IntStream.range(0, 600).forEach(i -> lines.add(withoutId("far" + i)));
    lines.add("{\"id\":\"far-away\",\"data\":{\"a\":\"1\",\"b\":\"second\"}" + partial + "}");
    lines.add(line("same-twice", "same"));
    write(lines.toArray(String[]::new));
    JsonNode count = count(run("--rejects", rejects.toString()), 4);

    assertThat(count.path("imported").asLong()).isEqualTo(602);
    assertThat(rejectedLines()).containsExactly(3, 604, 605);
  }

  @Tag("long")
  @Test
  void rejectsOfRepeatedBatchAreListedAgain() throws IOException {
    write(line("told-one", "a"));
    count(run("--rejects", rejects.toString()), 0);
    String savedProgress = Files.readString(progressFile());
    write(line("told-one", "a"), "not json", line("told-two", "b"), line("told-two", "b"));
    count(run("--rejects", rejects.toString()), 4);
    assertThat(rejectedLines()).containsExactly(2, 4);

    // Simulates a run that ended before it saved its progress.
    Files.writeString(progressFile(), savedProgress);
    JsonNode again = count(run("--rejects", rejects.toString()), 4);

    assertThat(again.path("imported").asLong()).isZero();
    assertThat(rejectedLines()).containsExactly(2, 4, 2, 4);
  }

  @Tag("long")
  @Test
  void rejectsCanBeWrittenToDevice() throws IOException {
    write("not json", line("told-nowhere", "a"));

    JsonNode count = count(run("--rejects", "/dev/null"), 4);

    assertThat(count.path("imported").asLong()).isEqualTo(1);
    assertThat(count.path("rejected").asLong()).isEqualTo(1);
    assertThat(count(run("--rejects", "/dev/null"), 0).path("skipped").asLong()).isEqualTo(2);
  }

  private Path progressFile() {
    return file.resolveSibling(file.getFileName() + ".import");
  }

  private List<Integer> rejectedLines() throws IOException {
    return Files.readAllLines(rejects).stream()
        .filter(each -> each.startsWith("{"))
        .map(each -> Json.parse(each).path("line").asInt())
        .toList();
  }

  @Test
  void rejectsIntoImportedFileAreRefused() throws IOException {
    write("not json");

    assertThat(run("--rejects", file.toString()).expectExit(1).err())
        .contains("must not be the imported file");

    assertThat(Files.readAllLines(file)).containsExactly("not json");
  }

  @Test
  void changedFileUnknownTenantAndInvalidProgressFileAreRejected() throws IOException {
    write(line("once", "a"));
    count(run(), 0);
    String progress = Files.readString(progressFile());
    write(line("twice", "b"));
    assertThat(run().expectExit(1).err()).contains("differ from those that");
    String unknownTenant = UUID.randomUUID().toString();
    assertThat(
            Operator.command("tokens", "import", "--tenant", unknownTenant, file.toString())
                .expectExit(1)
                .err())
        .contains("No tenant");
    Files.writeString(progressFile(), progress.replaceFirst("\"lines\":\\d+", "\"lines\":-1"));
    assertThat(run().expectExit(1).err())
        .contains("is not a progress file")
        .doesNotContain("Exception");
    Files.delete(progressFile());
    Files.delete(file);
    assertThat(run().expectExit(1).err()).contains("cannot be read, or " + progressFile());
  }
}
