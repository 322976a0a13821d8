package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class OperationsPageTest {

  @Test
  void documentedLoadBalancerMatchesTestedOne() throws IOException {
    assertThat(Files.readString(Path.of("../docs/operations.md")))
        .contains("```haproxy\n" + Files.readString(LoadBalancer.CONFIGURATION) + "```");
  }
}
