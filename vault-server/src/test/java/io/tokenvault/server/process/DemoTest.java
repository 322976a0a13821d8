package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guided tour. */
@Timeout(120)
final class DemoTest {

  @Test
  void theTourShowsASecretThatTheCallerNeverHeldAndEnds() {
    Path data = Directories.fresh();
    VaultProcess demo =
        VaultProcess.run(Map.of(), "demo", "--once", "--port", "0", "--data-dir", data.toString())
            .expectExit(0);
    assertThat(demo.out())
        .contains(
            "what the caller sent",
            "what the destination received",
            "\"card\":\"4242424242424242\"",
            "Proxy invoked",
            "Token used");
    assertThat(demo.err()).doesNotContain("4242424242424242", "Exception");
  }
}
