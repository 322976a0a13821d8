package io.tokenvault.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShardSettingsTest {

  private static final String FIRST = "jdbc:postgresql://one.internal/vault";

  private static Map<String, String> settings(String shards) {
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_DATABASE_URL", FIRST);
    settings.put("VAULT_DATABASE_USER", "vault");
    settings.put("VAULT_MASTER_KEYSET_FILE", "keys.json");
    settings.put("VAULT_DATABASE_SHARDS", shards);
    return settings;
  }

  @Test
  void databasesComeInTheirOrderAndMayHaveSeveralHosts() {
    String several = "jdbc:postgresql://two.internal,three.internal/vault?targetServerType=primary";
    String last = "jdbc:postgresql://four.internal/vault";
    assertThat(
            Configuration.from(settings(several + " ; " + last + ";"))
                .database()
                .orElseThrow()
                .urls())
        .containsExactly(FIRST, several, last);
  }

  @ParameterizedTest
  @CsvSource({
    "postgres://two.internal/vault, must be a URL such as jdbc:postgresql:",
    "jdbc:postgresql://two.internal/vault?password=hunter2, must not hold a password",
    "jdbc:postgresql://me:hunter2@two.internal:5432/vault, must not hold a password",
    "jdbc:postgresql://two.internal:port/vault, must be a URL such as jdbc:postgresql:",
    "jdbc:postgresql://one.internal/vault, must name each database once",
    ";;, has nothing but separators",
    "' ; ', has nothing but separators"
  })
  void whatIsWrongWithThemIsToldWithoutTheirText(String shards, String problem) {
    assertThatThrownBy(() -> Configuration.from(settings(shards)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("VAULT_DATABASE_SHARDS " + problem)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void checkpointsOfSeveralDatabasesGoToFiles() {
    Map<String, String> settings = settings("jdbc:postgresql://two.internal/vault");
    settings.put("VAULT_AUDIT_CHECKPOINTS", "stdout");

    assertThatThrownBy(() -> Configuration.from(settings))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("VAULT_AUDIT_CHECKPOINTS must be file: and a path");
  }

  @Test
  void theyNeedAFirstOne() {
    assertThatThrownBy(
            () -> Configuration.from(Map.of("VAULT_DATABASE_SHARDS", "jdbc:postgresql://two/v")))
        .hasMessageContaining("VAULT_DATABASE_URL is needed where there are more databases");
  }
}
