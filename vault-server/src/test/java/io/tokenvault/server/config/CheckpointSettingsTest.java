package io.tokenvault.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.server.config.Configuration.Checkpoints;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CheckpointSettingsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @TempDir Path directory;

  private static Checkpoints read(String target) {
    return Configuration.from(Map.of("VAULT_AUDIT_CHECKPOINTS", target)).checkpoints();
  }

  @Test
  void targetIsNoneStandardOutputOrFile() {
    assertThat(Configuration.from(Map.of()).checkpoints())
        .isEqualTo(new Checkpoints(Optional.empty(), false, MINUTE));
    assertThat(read("none")).isEqualTo(new Checkpoints(Optional.empty(), false, MINUTE));
    assertThat(read("stdout")).isEqualTo(new Checkpoints(Optional.empty(), true, MINUTE));
    Path file = directory.resolve("checkpoints");
    assertThat(read("file:" + file)).isEqualTo(new Checkpoints(Optional.of(file), false, MINUTE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:", "stderr", "/a/path", "file:/", "file:/no/such/directory/file"})
  void invalidTargetIsRejected(String target) {
    assertThatThrownBy(() -> read(target))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("VAULT_AUDIT_CHECKPOINTS");
  }
}
