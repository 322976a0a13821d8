package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.environment.Unchecked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clients that are generated from {@code /openapi.json} compile and run the samples of
 * docs/getting-started.md against a server. Their sources are in {@code resources/clients}.
 */
@Tag("long")
final class GeneratedClientsTest {

  private static final RunningVault VAULT = RunningVault.shared();
  private static final Path SOURCES = Path.of("src/test/resources/clients");
  private static final Path WORK = Path.of("target/clients").toAbsolutePath();
  private static final Path TYPESCRIPT = WORK.resolve("typescript");
  private static final Path JAVA = WORK.resolve("java");
  private static final Path PYTHON = JAVA.resolve("target/python");
  private static final String MISSING_NPM =
      "npm, or its registry, is missing: apt-get install nodejs npm";
  private static final String MISSING_MAVEN =
      "Maven, or a repository with OpenAPI Generator, is missing: apt-get install maven";
  private static final String MISSING_PYTHON =
      "Python, or its package index, is missing: apt-get install python3-venv";

  @AutoClose private static HttpsDestination destination;

  private final TenantFixture tenant = VAULT.newTenant();

  @BeforeAll
  static void start() throws IOException {
    destination = HttpsDestination.start();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files.filter(Files::isRegularFile).forEach(GeneratedClientsTest::copy);
    }
    Files.write(WORK.resolve("openapi.json"), VAULT.get("/openapi.json").expect(200).bytes());
  }

  private static void copy(Path file) {
    Path copy = WORK.resolve(SOURCES.relativize(file));
    Unchecked.run(
        () -> {
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        });
  }

  @Test
  void documentPassesLintWithoutWarnings() {
    installTypeScript();

    assertThat(npx("redocly lint ../openapi.json"))
        .contains("valid")
        .doesNotContain("Warning was generated", "You have");
  }

  @Test
  void typeScriptClientRunsSamples() {
    installTypeScript();
    String generate = "openapi-typescript ../openapi.json -o schema.d.ts";
    npx(generate + " --default-non-nullable=false");
    npx("tsc --strict --target es2022 --module nodenext --outDir target journey.ts");

    checkSamples(run(TYPESCRIPT, "node", "target/journey.js"));
  }

  @Test
  void javaClientRunsSamples() {
    resolveGenerator();

    checkSamples(run(JAVA, "mvn", "-q", "-B", "compile", "exec:java"));
  }

  @Test
  void pythonClientRunsSamples() {
    resolveGenerator();
    run(JAVA, "mvn", "-q", "-B", "generate-sources").expectSuccess();
    Path python = PYTHON.resolve("venv/bin/python");
    assumeTrue(run(PYTHON, "python3", "-m", "venv", "venv").isSuccess(), MISSING_PYTHON);
    run(PYTHON, "python3", "-m", "compileall", "-q", "openapi_client").expectSuccess();
    assumeTrue(
        run(PYTHON, python.toString(), "-m", "pip", "install", "-q", "-r", "requirements.txt")
            .isSuccess(),
        MISSING_PYTHON);

    checkSamples(run(PYTHON, python.toString(), WORK.resolve("python/journey.py").toString()));
  }

  private void installTypeScript() {
    assumeTrue(
        run(TYPESCRIPT, "npm", "install", "--no-audit", "--no-fund", "--silent").isSuccess(),
        MISSING_NPM);
  }

  private void resolveGenerator() {
    assumeTrue(
        run(JAVA, "mvn", "-q", "-B", "dependency:resolve", "dependency:resolve-plugins")
            .isSuccess(),
        MISSING_MAVEN);
  }

  /** Asserts that the client read the card number and that the destination received it. */
  private static void checkSamples(ProgramRun client) {
    assertThat(client.expectSuccess())
        .contains("read 4242424242424242", "received {\"received\":", "recorded 3 create");
    assertThat(destination.received().getBody().utf8()).contains("4242424242424242");
  }

  private String npx(String command) {
    return run(TYPESCRIPT, ("npx " + command).split(" ")).expectSuccess();
  }

  private ProgramRun run(Path directory, String... command) {
    return ProgramRun.in(
        directory,
        Map.of(
            "VAULT", VAULT.url(),
            "MANAGEMENT", tenant.management().key(),
            "DESTINATION", destination.url(),
            "PYTHONPATH", "."),
        command);
  }
}
