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
final class InvalidDirectoryTest {

  @TempDir Path folder;

  @Test
  void existingFileAsDirectoryIsRejected() throws IOException {
    Path file = Files.createFile(folder.resolve("data"));
    assertThatStartIsRejected(file).hasMessageContaining("a file exists there");
  }

  @Test
  void existingFileAsParentIsRejected() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatStartIsRejected(file.resolve("data")).hasMessageContaining("a file exists there");
  }

  @Test
  void tooLongNameIsRejected() {
    assertThatStartIsRejected(folder.resolve("n".repeat(300))).hasMessageContaining("too long");
  }

  @Test
  void pathTooLongForPostgresIsRejected() {
    assertThatStartIsRejected(pathOfLength(801)).hasMessageContaining("at most 800");
  }

  @Test
  @Tag("long")
  void longestAllowedPathWorks() {
    try (EmbeddedPostgres postgres = TestPostgres.start(pathOfLength(800))) {
      assertThat(postgres.jdbcUrl()).isNotEmpty();
    }
  }

  @Test
  void directoryOfAnotherUserIsRejected() throws Exception {
    assumeTrue(FileOwner.ofThisProcess().isRoot(), ProcessUserTest.NOT_ROOT);
    Path readable = ProcessUserTest.makeReadable(folder.resolve("readable"));
    Path unwritable = ProcessUserTest.makeReadable(folder.resolve("unwritable"));
    ProcessUserTest.makeReadable(folder);
    try (ChildJvm server = ChildJvm.serverAsNobody(unwritable, readable)) {
      assertThat(server.nextStatus())
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

  private static AbstractThrowableAssert<?, ?> assertThatStartIsRejected(Path directory) {
    return assertThatThrownBy(() -> TestPostgres.start(directory))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining(directory.toString());
  }
}
