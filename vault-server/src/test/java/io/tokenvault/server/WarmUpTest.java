package io.tokenvault.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  @Tag("long")
  @Test
  void warmUpSendsRequestsAndDeletesItsFiles() throws IOException {
    List<Path> before = directories();
    assertThat(WarmUp.run(Duration.ofMillis(200))).isPositive();
    assertThat(directories()).isEqualTo(before);
  }

  private static List<Path> directories() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("token-vault-warm-up-"))
          .sorted()
          .toList();
    }
  }
}
