package io.tokenvault.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the configuration by environment variables and a properties file. */
final class ConfigurationTest {

  private static final String KEY_URI =
      "aws-kms://arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

  @TempDir private Path directory;

  @Test
  void defaultsAreEmbeddedDatabaseAndPlainHttpOnLoopback() {
    Configuration configuration = Configuration.from(Map.of());
    assertThat(configuration.web().http().host()).isEqualTo("127.0.0.1");
    assertThat(configuration.web().http().port()).isEqualTo(8080);
    assertThat(configuration.web().http().tls()).isEmpty();
    assertThat(configuration.web().http().allowedOrigins()).isEmpty();
    assertThat(configuration.web().http().headers()).isEqualTo(ServiceHeaders.DEFAULT);
    assertThat(configuration.dataDirectory()).isEqualTo(Path.of("./data"));
    assertThat(configuration.keysetFile().getParent()).isEqualTo(Path.of("./data"));
    assertThat(configuration.database()).isEmpty();
    assertThat(configuration.cvcLifetime()).isEmpty();
    assertThat(configuration.egressPolicy().allowedHosts()).isEmpty();
    assertThat(configuration.egressPolicy().privateHosts()).isEmpty();
    assertThat(configuration.proxy().hostOverrides()).isEmpty();
    assertThat(configuration.proxy().extraAuthorities()).isEmpty();
    assertThat(configuration.proxy().clientCertificates().names()).isEmpty();
    assertThat(configuration.proxy().forwardProxy()).isEmpty();
  }

  @Test
  void proxyLimitsHaveDocumentedDefaults() {
    ProxyEngine.Settings limits = Configuration.from(Map.of()).proxy();
    assertThat(limits.connectTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(limits.firstByteTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(limits.idleTimeout()).isEqualTo(Duration.ofSeconds(60));
    assertThat(limits.maxBufferedBody()).isEqualTo(10 * 1024 * 1024);
    assertThat(limits.bodyMemoryBudget()).isEqualTo(Runtime.getRuntime().maxMemory() / 4);
  }

  @Test
  void everySettingIsRead() throws IOException {
    Path file = Files.writeString(directory.resolve("some.pem"), "pem");
    Map<String, String> environment = new HashMap<>();
    environment.put("VAULT_PORT", "0");
    environment.put("VAULT_HOST", "0.0.0.0");
    environment.put("VAULT_DATA_DIR", directory.toString());
    environment.put("VAULT_DATABASE_URL", "jdbc:postgresql://db.internal/vault");
    environment.put("VAULT_DATABASE_USER", "runtime");
    environment.put("VAULT_DATABASE_PASSWORD", "one");
    environment.put("VAULT_DATABASE_OWNER_USER", "owner");
    environment.put("VAULT_DATABASE_OWNER_PASSWORD", "two");
    environment.put("VAULT_DATABASE_POOL_SIZE", "3");
    environment.put("VAULT_DATABASE_CONNECT_TIMEOUT_MS", "1000");
    environment.put("VAULT_DATABASE_STATEMENT_TIMEOUT_MS", "2000");
    environment.put("VAULT_DATABASE_POOL_TIMEOUT_MS", "250");
    environment.put("VAULT_DATABASE_WAIT_SECONDS", "4");
    environment.put("VAULT_MASTER_KEYSET_FILE", "keys.json");
    environment.put("VAULT_MASTER_KEY_URI", KEY_URI);
    environment.put("VAULT_TLS_CERT_FILE", file.toString());
    environment.put("VAULT_TLS_KEY_FILE", file.toString());
    environment.put("VAULT_CORS_ALLOWED_ORIGINS", "https://a.example, http://b.example:8080");
    environment.put("VAULT_SHUTDOWN_DELAY_MS", "300000");
    environment.put("VAULT_HEADER_PREFIX", "ACME-");
    environment.put("VAULT_EGRESS_CA_FILE", file.toString());
    environment.put("VAULT_EGRESS_PRIVATE_HOSTS", "Pay.internal, localhost");
    environment.put(
        "VAULT_EGRESS_HOST_OVERRIDES", "A.example=127.0.0.1,a.example=::1,b.example=10.0.0.1");
    environment.put("VAULT_EGRESS_ALLOWED_HOSTS", "*.example.com,one.test");
    environment.put("VAULT_PROXY_CONNECT_TIMEOUT_MS", "1");
    environment.put("VAULT_PROXY_ANSWER_TIMEOUT_MS", "2");
    environment.put("VAULT_PROXY_IDLE_TIMEOUT_MS", "3");
    environment.put("VAULT_PROXY_HTTP2", "true");
    environment.put("VAULT_PROXY_HELD_BODY_BYTES", "4");
    environment.put("VAULT_PROXY_HELD_BODIES_BYTES", "5");
    environment.put("VAULT_CARD_CVC_LIFETIME_SECONDS", "3600");
    Configuration configuration = Configuration.from(environment);
    assertThat(configuration.web().http().port()).isZero();
    assertThat(configuration.web().http().host()).isEqualTo("0.0.0.0");
    assertThat(configuration.web().http().tls())
        .contains(new TlsFiles(file, file, Duration.ofSeconds(2)));
    assertThat(configuration.web().http().allowedOrigins())
        .containsExactlyInAnyOrder("https://a.example", "http://b.example:8080");
    assertThat(configuration.web().http().headers().apiKey()).isEqualTo("ACME-API-KEY");
    assertThat(configuration.web().shutdownDelay()).isEqualTo(Duration.ofMinutes(5));
    assertThat(configuration.dataDirectory()).isEqualTo(directory);
    assertThat(configuration.databasePoolSize()).isEqualTo(3);
    assertThat(configuration.databaseLimits())
        .isEqualTo(
            new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250)));
    assertThat(configuration.databaseWait()).isEqualTo(Duration.ofSeconds(4));
    assertThat(configuration.keysetFile()).isEqualTo(Path.of("keys.json"));
    assertThat(configuration.masterKeyUri()).contains(KEY_URI);
    DatabaseSettings database = configuration.database().orElseThrow();
    assertThat(database.poolSize()).isEqualTo(3);
    assertThat(database.limits()).isEqualTo(configuration.databaseLimits());
    assertThat(database.jdbcUrl()).isEqualTo("jdbc:postgresql://db.internal/vault");
    assertCredentials(Optional.of(database.runtime()), "runtime", "one");
    assertCredentials(database.owner(), "owner", "two");
    assertThat(configuration.egressPolicy().privateHosts())
        .isEqualTo(Set.of("pay.internal", "localhost"));
    assertThat(configuration.egressPolicy().allowedHosts())
        .contains(Set.of(new HostPattern("*.example.com"), new HostPattern("one.test")));
    assertThat(configuration.proxy().hostOverrides())
        .containsOnlyKeys("a.example", "b.example")
        .containsEntry("a.example", List.of(address("127.0.0.1"), address("::1")));
    assertThat(configuration.proxy().extraAuthorities()).contains(file);
    assertThat(configuration.proxy().connectTimeout()).isEqualTo(Duration.ofMillis(1));
    assertThat(configuration.proxy().firstByteTimeout()).isEqualTo(Duration.ofMillis(2));
    assertThat(configuration.proxy().idleTimeout()).isEqualTo(Duration.ofMillis(3));
    assertThat(configuration.proxy().http2()).isTrue();
    assertThat(configuration.proxy().maxBufferedBody()).isEqualTo(4);
    assertThat(configuration.proxy().bodyMemoryBudget()).isEqualTo(5);
    assertThat(configuration.cvcLifetime()).contains(Duration.ofHours(1));
  }

  private static void assertCredentials(Optional<Login> found, String user, String password) {
    assertThat(found.orElseThrow().user()).isEqualTo(user);
    assertThat(new String(found.orElseThrow().password().open(), StandardCharsets.UTF_8))
        .isEqualTo(password);
  }

  private static InetAddress address(String literal) throws IOException {
    return InetAddress.getByName(literal);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "VAULT_PORT|-1",
        "VAULT_PORT|65536",
        "VAULT_PORT|eighty",
        "VAULT_PORT|80.5",
        "VAULT_HOST|no.such.host.invalid",
        "VAULT_HOST|0.0.0.0",
        "VAULT_HOST|::",
        "VAULT_PLAIN_HTTP|yes",
        "VAULT_PLAIN_HTTP|TRUE",
        "VAULT_DATABASE_URL|jdbc:mysql://db.internal/vault",
        "VAULT_DATABASE_URL|jdbc:postgresql://db.internal/vault?user=a&password=b",
        "VAULT_DATABASE_PASSWORD_FILE|/no/such/file",
        "VAULT_DATABASE_OWNER_PASSWORD_FILE|/no/such/file",
        "VAULT_DATABASE_URL|jdbc:postgresql://db.internal:port/vault",
        "VAULT_WARM_UP_SECONDS|-1",
        "VAULT_WARM_UP_SECONDS|601",
        "VAULT_WARM_UP_SECONDS|soon",
        "VAULT_DATABASE_WAIT_SECONDS|-1",
        "VAULT_DATABASE_WAIT_SECONDS|3601",
        "VAULT_DATABASE_POOL_SIZE|0",
        "VAULT_DATABASE_POOL_SIZE|many",
        "VAULT_DATABASE_CONNECT_TIMEOUT_MS|999",
        "VAULT_MAX_REQUESTS|0",
        "VAULT_MIN_BODY_RATE|-1",
        "VAULT_PROXY_DESTINATION_REQUESTS|0",
        "VAULT_DATABASE_STATEMENT_TIMEOUT_MS|999",
        "VAULT_DATABASE_POOL_TIMEOUT_MS|249",
        "VAULT_MASTER_KEY_URI|arn:aws:kms:eu-west-1:111122223333:key/1234abcd",
        "VAULT_MASTER_KEY_URI|aws-kms://alias/vault",
        "VAULT_MASTER_KEY_URI|gcp-kms://projects/p/locations/l/keyRings/r/cryptoKeys/k",
        "VAULT_TLS_CERT_FILE|/no/such/file",
        "VAULT_TLS_CERT_FILE|/",
        "VAULT_DATA_DIR|/dev/null",
        "VAULT_TLS_KEY_FILE|/no/such/file",
        "VAULT_EGRESS_CA_FILE|/no/such/file",
        "VAULT_CONFIG_FILE|/no/such/file",
        "VAULT_CORS_ALLOWED_ORIGINS|*",
        "VAULT_CORS_ALLOWED_ORIGINS|https://a.example/path",
        "VAULT_CORS_ALLOWED_ORIGINS|a.example",
        "VAULT_HEADER_PREFIX|X-",
        "VAULT_HEADER_PREFIX|S-",
        "VAULT_HEADER_PREFIX|SVC",
        "VAULT_HEADER_PREFIX|-",
        "VAULT_HEADER_PREFIX|S C-",
        "VAULT_EGRESS_PRIVATE_HOSTS|10.0.0.1",
        "VAULT_EGRESS_PRIVATE_HOSTS|, ,",
        "VAULT_EGRESS_PRIVATE_HOSTS|*.example.com",
        "VAULT_EGRESS_PRIVATE_HOSTS|https://pay.example",
        "VAULT_EGRESS_HOST_OVERRIDES|a.example",
        "VAULT_EGRESS_HOST_OVERRIDES|a.example=b.example",
        "VAULT_EGRESS_HOST_OVERRIDES|=127.0.0.1",
        "VAULT_EGRESS_HOST_OVERRIDES|a.example=127.0.0.1:443",
        "VAULT_EGRESS_HOST_OVERRIDES|a.example=256.0.0.1",
        "VAULT_EGRESS_ALLOWED_HOSTS|*",
        "VAULT_EGRESS_ALLOWED_HOSTS|,",
        "VAULT_EGRESS_ALLOWED_HOSTS|a.*.example",
        "VAULT_EGRESS_ALLOWED_HOSTS|10.0.0.1",
        "VAULT_EGRESS_ALLOWED_HOSTS|https://api.example.com",
        "VAULT_CARD_CVC_LIFETIME_SECONDS|0",
        "VAULT_PROXY_CONNECT_TIMEOUT_MS|0",
        "VAULT_PROXY_ANSWER_TIMEOUT_MS|-5",
        "VAULT_PROXY_IDLE_TIMEOUT_MS|3600001",
        "VAULT_PROXY_HELD_BODY_BYTES|0",
        "VAULT_PROXY_HELD_BODY_BYTES|10MB",
        "VAULT_PROXY_HELD_BODY_BYTES|268435457",
        "VAULT_PROXY_HELD_BODIES_BYTES|0",
        "VAULT_API_MEMORY_BYTES|1048575",
        "VAULT_TRANSFORM_WORKERS|0",
        "VAULT_TRANSFORM_SPARE_WORKERS|-1",
        "VAULT_TRANSFORM_COMPILERS|0",
        "VAULT_TRANSFORM_COMPILE_CPU_MS|0",
        "VAULT_TRANSFORM_QUEUE|many",
        "VAULT_TRANSFORM_QUEUE_WAIT_MS|0",
        "VAULT_TRANSFORM_ISOLATION|none",
        "VAULT_TRANSFORM_CPU_MS|0",
        "VAULT_TRANSFORM_TIMEOUT_MS|600001",
        "VAULT_TRANSFORM_MEMORY_MIB|8",
        "VAULT_TRANSFORM_ALLOCATION_MIB|0",
        "VAULT_TRANSFORM_INSTRUCTIONS|0",
        "VAULT_TRANSFORM_BODY_BYTES|0",
        "VAULT_TRANSFORM_CALLS|-1",
        "VAULT_TRANSFORM_MODULES_DIR|/no/such/directory",
        "VAULT_TRANSFORM_MODULE_ALIASES|../errors",
        "VAULT_PROT|8080",
        "VAULT_|x",
        "VAULT_PORT_FILE|/some/file",
        "VAULT_PORT|http://10.0.0.1:8200",
        "VAULT_TOKENS|x",
        "VAULT_SERVICE|x"
      })
  void invalidValueIsRejectedByName(String name, String value) {
    assertRefused(Map.of(name, value))
        .hasMessageContaining(name + " ")
        .satisfies(
            refused -> assertThat(refused.getMessage().lines().count()).isLessThanOrEqualTo(4));
  }

  @ParameterizedTest
  @CsvSource({
    "VAULT_ADDR, https://127.0.0.1:8200",
    "VAULT_TOKEN, hvs.planted",
    "VAULT_NAMESPACE, admin",
    "VAULT_CACERT, /etc/ca.pem",
    "VAULT_SKIP_VERIFY, true",
    "VAULT_LOG_LEVEL, debug",
    "VAULT_RAFT_NODE_ID, one",
    "VAULT_SERVICE_HOST, 10.0.0.1",
    "VAULT_SERVICE_PORT, 8200",
    "VAULT_SERVICE_PORT_HTTPS_INTERNAL, 8201",
    "VAULT_PORT, tcp://10.0.0.1:8200",
    "VAULT_PORT_8200_TCP, tcp://10.0.0.1:8200",
    "VAULT_PORT_8200_TCP_PROTO, tcp",
    "VAULT_PORT_8200_TCP_PORT, 8200",
    "VAULT_PORT_8200_TCP_ADDR, 10.0.0.1",
    "VAULT_PORT_53_UDP, udp://10.0.0.1:53",
    "VAULT_ADMIN_PORT, tcp://10.0.0.1:8090",
    "VAULT_UI_SERVICE_HOST, 10.0.0.1",
    "VAULT_UI_PORT, tcp://10.0.0.1:8200",
    "VAULT_UI_PORT_8200_TCP_ADDR, 10.0.0.1"
  })
  void settingsOfOtherSoftwareAreIgnored(String name, String value) {
    assertThat(Configuration.from(Map.of(name, value))).isEqualTo(Configuration.from(Map.of()));
  }

  @ParameterizedTest
  @EnumSource(Setting.class)
  void settingIsNotMistakenForForeignVariable(Setting setting) {
    assertThat(SettingValues.ForeignVariables.include(setting.variable(), "1")).isFalse();
    assertThat(SettingValues.ForeignVariables.include(setting.fileVariable(), "1")).isFalse();
  }

  @Test
  void serviceLinkIsIgnoredInEnvironmentButNotInPropertiesFile() throws IOException {
    Map<String, String> environment = new HashMap<>();
    environment.put("VAULT_PORT", "tcp://10.0.0.1:8200");
    environment.put("VAULT_CONFIG_FILE", properties("VAULT_PORT=1234").toString());
    assertThat(Configuration.from(environment).web().http().port()).isEqualTo(1234);

    environment.put("VAULT_CONFIG_FILE", properties("VAULT_TOKEN=x").toString());
    assertRefused(environment).hasMessageContaining("VAULT_TOKEN is not the name of a setting");
  }

  @Test
  void unselectedSettingsHaveDefaults() {
    Map<String, String> environment =
        Map.of("VAULT_ADMIN_PORT", "1", "VAULT_MAX_REQUESTS", "2", "VAULT_MIN_BODY_RATE", "no");

    Configuration selected =
        Configuration.from(
            environment,
            Set.of(Setting.ADMIN_PORT, Setting.PORT),
            Map.of(Setting.HEADER_PREFIX, "ACME-"));

    assertThat(selected.web().admin().orElseThrow().port()).isEqualTo(1);
    Configuration defaults = Configuration.from(Map.of());
    assertThat(selected.web().http().limits()).isEqualTo(defaults.web().http().limits());
    assertThat(selected.web().apiMemory()).isEqualTo(defaults.web().apiMemory());
    assertThat(selected.web().rates()).isEqualTo(defaults.web().rates());
    assertThat(selected.web().http().headers().prefix()).isEqualTo("ACME-");
  }

  @Test
  void selectedSecretIsAlsoReadFromItsFile() throws IOException {
    Path url = Files.writeString(directory.resolve("proxy"), "http://proxy.internal:3128");
    Map<String, String> environment = Map.of("VAULT_EGRESS_HTTP_PROXY_FILE", url.toString());

    Configuration selected =
        Configuration.from(environment, Set.of(Setting.EGRESS_HTTP_PROXY), Map.of());
    Configuration unselected = Configuration.from(environment, Set.of(), Map.of());

    assertThat(selected.proxy().forwardProxy().orElseThrow().host()).isEqualTo("proxy.internal");
    assertThat(unselected.proxy().forwardProxy()).isEmpty();
  }

  @Test
  void masterKeyUriIsReadWithoutOtherSettings() {
    Map<String, String> withoutKeysetFile =
        Map.of("VAULT_DATABASE_URL", "jdbc:postgresql://db/vault", "VAULT_MASTER_KEY_URI", KEY_URI);

    assertThat(Configuration.masterKeyUri(withoutKeysetFile)).contains(KEY_URI);
    assertThat(Configuration.masterKeyUri(Map.of())).isEmpty();
    assertThatThrownBy(() -> Configuration.masterKeyUri(Map.of("VAULT_MASTER_KEY_URI", "x")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("VAULT_MASTER_KEY_URI must be");
  }

  @Test
  void allProblemsAreReportedTogether() {
    Map<String, String> environment =
        Map.of("VAULT_PORT", "x", "VAULT_TYPO", "y", "VAULT_HEADER_PREFIX", "X-", "PATH", "/bin");
    assertRefused(environment)
        .hasMessageContainingAll("VAULT_PORT", "VAULT_TYPO", "VAULT_HEADER_PREFIX")
        .hasMessageNotContaining("PATH");
  }

  @Test
  void invalidSecretIsNeverRepeated() {
    Map<String, String> environment =
        Map.of(
            "VAULT_DATABASE_URL", "jdbc:postgresql://db/vault?password=planted-secret",
            "VAULT_DATABASE_PASSWORD", "planted-secret",
            "VAULT_DATABASE_PASSWORD_FILE", "/no/such/file");
    assertRefused(environment)
        .hasMessageContainingAll("VAULT_DATABASE_URL", "VAULT_DATABASE_PASSWORD")
        .hasMessageNotContaining("planted-secret");
  }

  @Test
  void passwordsAreNotPrinted() {
    assertThat(Configuration.from(external("VAULT_DATABASE_PASSWORD", "planted-secret")).toString())
        .doesNotContain("planted-secret");
  }

  @Test
  void secretIsReadFromFileWithoutItsLineEnd() throws IOException {
    Path file = Files.writeString(directory.resolve("password"), "from file\n");
    Configuration configuration =
        Configuration.from(external("VAULT_DATABASE_PASSWORD_FILE", file.toString()));
    assertCredentials(
        configuration.database().map(DatabaseSettings::runtime), "vault_runtime", "from file");
  }

  @Test
  void secretGivenTwiceIsRejected() throws IOException {
    Path file = Files.writeString(directory.resolve("password"), "from file");
    Map<String, String> environment = external("VAULT_DATABASE_PASSWORD_FILE", file.toString());
    environment.put("VAULT_DATABASE_PASSWORD", "direct");
    assertRefused(environment)
        .hasMessageContainingAll("VAULT_DATABASE_PASSWORD", "VAULT_DATABASE_PASSWORD_FILE");
  }

  static AbstractThrowableAssert<?, ?> assertRefused(Map<String, String> environment) {
    return assertThatThrownBy(() -> Configuration.from(environment))
        .isInstanceOf(ConfigurationException.class);
  }

  private static Map<String, String> external(String name, String value) {
    Map<String, String> environment = new HashMap<>();
    environment.put("VAULT_DATABASE_URL", "jdbc:postgresql://db.internal/vault");
    environment.put("VAULT_DATABASE_USER", "vault_runtime");
    environment.put("VAULT_MASTER_KEYSET_FILE", "keys.json");
    environment.put(name, value);
    return environment;
  }

  @Test
  void externalDatabaseRequiresUserAndKeyset() {
    assertRefused(Map.of("VAULT_DATABASE_URL", "jdbc:postgresql://db.internal/vault"))
        .hasMessageContainingAll("VAULT_DATABASE_USER", "VAULT_MASTER_KEYSET_FILE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"VAULT_DATABASE_USER", "VAULT_DATABASE_OWNER_USER", "VAULT_DATABASE_PASSWORD"})
  void externalDatabaseSettingIsRejectedWithoutDatabaseUrl(String name) {
    assertRefused(Map.of(name, "something")).hasMessageContaining("VAULT_DATABASE_");
  }

  @Test
  void ownerIsOptional() {
    Configuration configuration = Configuration.from(external("VAULT_PORT", "8080"));
    assertThat(configuration.database().orElseThrow().owner()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "localhost", "::1"})
  void plainHttpIsAllowedOnLoopback(String host) {
    assertThat(Configuration.from(Map.of("VAULT_HOST", host)).web().http().tls()).isEmpty();
  }

  @Test
  void plainHttpOnOtherAddressesRequiresSetting() {
    Map<String, String> open = Map.of("VAULT_HOST", "0.0.0.0", "VAULT_PLAIN_HTTP", "true");
    assertThat(Configuration.from(open).web().http().host()).isEqualTo("0.0.0.0");
    assertRefused(Map.of("VAULT_HOST", "0.0.0.0"))
        .hasMessageContainingAll("VAULT_PLAIN_HTTP", "VAULT_TLS_CERT_FILE");
  }

  @Test
  void problemOfSettingUsedTwiceIsReportedOnce() {
    assertRefused(Map.of("VAULT_PLAIN_HTTP", "yes"))
        .message()
        .containsOnlyOnce("VAULT_PLAIN_HTTP must be");
  }

  @Test
  void certificateAndKeyRequireEachOther() throws IOException {
    Path file = Files.writeString(directory.resolve("some.pem"), "pem");
    for (String name : List.of("VAULT_TLS_CERT_FILE", "VAULT_TLS_KEY_FILE")) {
      assertRefused(Map.of(name, file.toString()))
          .hasMessageContainingAll("VAULT_TLS_CERT_FILE", "VAULT_TLS_KEY_FILE");
    }
  }

  @Test
  void emptyValueCountsAsUnset() {
    Map<String, String> environment =
        Map.of("VAULT_PORT", "", "VAULT_DATABASE_URL", "  ", "VAULT_CONFIG_FILE", "");
    assertThat(Configuration.from(environment)).isEqualTo(Configuration.from(Map.of()));
  }

  @Test
  void environmentOverridesPropertiesFile() throws IOException {
    Path file = properties("VAULT_PORT=1234\nVAULT_HEADER_PREFIX=ACME-\n");
    Configuration configuration =
        Configuration.from(Map.of("VAULT_CONFIG_FILE", file.toString(), "VAULT_PORT", "4321"));
    assertThat(configuration.web().http().port()).isEqualTo(4321);
    assertThat(configuration.web().http().headers().prefix()).isEqualTo("ACME-");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "VAULT_PROT=1",
        "VAULT_CONFIG_FILE=other.properties",
        "port=1",
        "VAULT_PORT=x",
        "VAULT_HOST=\\uZZZZ"
      })
  void propertiesFileIsValidated(String line) throws IOException {
    Path file = properties(line);
    assertRefused(Map.of("VAULT_CONFIG_FILE", file.toString()))
        .hasMessageContaining(
            line.contains("ZZZZ") ? "VAULT_CONFIG_FILE" : line.substring(0, line.indexOf('=')));
  }

  private Path properties(String text) throws IOException {
    return Files.writeString(directory.resolve("vault.properties"), text);
  }
}
