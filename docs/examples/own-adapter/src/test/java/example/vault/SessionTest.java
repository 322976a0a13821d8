package example.vault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the use cases on {@link SqliteStorage} by the output of the example session. */
final class SessionTest {

  @TempDir private Path directory;

  @Test
  void sessionPrintsDocumentedOutput() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();

    Session.run(directory, new PrintStream(printed, true, StandardCharsets.UTF_8));

    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo(expected());
  }

  private static String expected() throws IOException {
    try (InputStream session = SessionTest.class.getResourceAsStream("/session.txt")) {
      return new String(session.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
