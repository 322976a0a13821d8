package io.tokenvault.server.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Compares sorted lines with the files in {@code src/test/resources/golden}. After an intended
 * change, run the test with {@code -Dvault.test.jvm=-Dvault.golden.write=true} and review the
 * difference.
 */
public final class Golden {

  private static final Path DIRECTORY = Path.of("src/test/resources/golden");

  private Golden() {}

  /** Compares lines, in any order, with a file. */
  public static void matches(String name, Stream<String> lines) throws IOException {
    Path file = DIRECTORY.resolve(name);
    String actual = String.join("\n", lines.sorted().toList()) + "\n";
    if (Boolean.getBoolean("vault.golden.write")) {
      Files.writeString(file, actual);
    }
    assertThat(actual).isEqualTo(Files.readString(file));
  }
}
