package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.adapters.jdbi.embedded.DataDirectory.FileOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class BadDirectoryTest {

  @TempDir Path folder;

  @Test
  void fileInItsPlaceIsRejected() throws IOException {
    Path file = Files.createFile(folder.resolve("data"));
    assertThatStartIsRefused(file).hasMessageContaining("a file exists there");
  }

  @Test
  void fileAsItsParentIsRejected() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatStartIsRefused(file.resolve("data")).hasMessageContaining("a file exists there");
  }

  @Test
  void tooLongNameIsRejected() {
    assertThatStartIsRefused(folder.resolve("n".repeat(300))).hasMessageContaining("too long");
  }

  @Test
  void pathTooLongForPostgresIsRejected() {
    assertThatStartIsRefused(pathOfLength(801)).hasMessageContaining("at most 800");
  }

  @Test
  @Tag("long")
  void longestAllowedPathWorks() {
    try (EmbeddedPostgres postgres = TestPrograms.start(pathOfLength(800))) {
      assertThat(postgres.jdbcUrl()).isNotEmpty();
    }
  }

  @Test
  void directoryOfAnotherUserIsRejected() throws Exception {
    assumeTrue(FileOwner.ofThisProcess().isRoot(), OtherUserTest.NOT_ROOT);
    Path readable = OtherUserTest.open(folder.resolve("readable"));
    Path foreign = OtherUserTest.open(folder.resolve("foreign"));
    OtherUserTest.open(folder);
    try (ChildJvm server = ChildJvm.serverOfNobody(foreign, readable)) {
      assertThat(server.line())
          .startsWith("REFUSED")
          .contains("user 65534 has no write permission");
    }
  }

  private Path pathOfLength(int length) {
    Path path = folder;
    while (length - path.toString().length() > 101) {
      path = path.resolve("n".repeat(50));
    }
    return path.resolve("n".repeat(length - path.toString().length() - 1));
  }

  private static AbstractThrowableAssert<?, ?> assertThatStartIsRefused(Path directory) {
    return assertThatThrownBy(() -> TestPrograms.start(directory))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining(directory.toString());
  }
}
