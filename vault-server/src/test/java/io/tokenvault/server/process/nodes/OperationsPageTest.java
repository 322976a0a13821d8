package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class OperationsPageTest {

  @Test
  void documentedLoadBalancerMatchesTestedOne() throws IOException {
    try (InputStream tested = Front.class.getResourceAsStream(Front.CONFIGURATION)) {
      assertThat(Files.readString(Path.of("../docs/operations.md")))
          .contains(
              "```haproxy\n" + new String(tested.readAllBytes(), StandardCharsets.UTF_8) + "```");
    }
  }
}
