package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the guided tour of the demo. */
@Timeout(600)
final class DemoTest {

  @Test
  void tourShowsSecretThatCallerNeverHadAndExits() throws IOException {
    Path data = DataDirectories.withEmptyDatabase();
    CommandRun demo = demo(Map.of(), data).expectExit(0);
    assertThat(demo.out())
        .contains(
            "what the caller sent",
            "what the destination received",
            "\"card\":\"4242424242424242\"",
            "Proxy invoked",
            "Token used");
    assertThat(demo.err()).doesNotContain("4242424242424242", "Exception");
    assertThat(normalized(demo.out())).startsWith(normalized(readmeOutput()));
  }

  @Tag("long")
  @Test
  void adminPortInUseIsReportedAndServerDatabaseIsNotUsed() throws IOException {
    Path data = DataDirectories.fresh();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      Map<String, String> settings =
          Map.of(
              "VAULT_ADMIN_PORT", port,
              "VAULT_DATABASE_URL", "jdbc:postgresql://127.0.0.1:1/vault",
              "VAULT_DATA_DIR", "/no/such/directory");
      CommandRun refused = demo(settings, data).expectExit(3);
      assertThat(refused.err()).contains("VAULT_ADMIN_PORT cannot be used", port);
    }
  }

  @Test
  void unusableDataDirectoryIsReported() {
    CommandRun refused = demo(Map.of(), Path.of("/dev/null/data")).expectExit(1);
    assertThat(refused.err()).isEqualTo("The data directory cannot be used: /dev/null/data\n");
  }

  private static CommandRun demo(Map<String, String> settings, Path data) {
    return CommandRun.run(settings, "demo", "--once", "--port", "0", "--data-dir", data.toString());
  }

  private static String readmeOutput() throws IOException {
    Matcher block =
        Pattern.compile("(?s)```text\n(.*?)```")
            .matcher(Files.readString(Path.of("..", "README.md")));
    assertThat(block.find()).isTrue();
    return block.group(1);
  }

  /** Replaces the parts of the output that differ between runs. */
  private static String normalized(String printed) {
    return printed
        .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<id>")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.+]+", "<time>")
        .replaceAll("example:\\d+", "example:<port>");
  }
}
