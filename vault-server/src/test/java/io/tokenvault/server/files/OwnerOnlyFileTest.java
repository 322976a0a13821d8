package io.tokenvault.server.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.server.files.OwnerOnlyFile.Linking;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that files are created atomically, with hard links and without. */
final class OwnerOnlyFileTest {

  private static final byte[] CONTENT = "all of it".getBytes(StandardCharsets.US_ASCII);

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void newFile() {
    file = directory.resolve("new");
  }

  /** Returns a file system with hard links, FAT on Linux, and one without support for links. */
  static List<Linking> fileSystems() {
    return List.of(
        Files::createLink,
        (name, existing) -> {
          throw new FileSystemException(name.toString(), existing.toString(), "not permitted");
        },
        (name, existing) -> {
          throw new UnsupportedOperationException("no links");
        });
  }

  @ParameterizedTest
  @MethodSource("fileSystems")
  void newFileIsCompleteAndOwnerOnly(Linking linking) throws IOException {
    new OwnerOnlyFile(file, linking).create(out -> out.write(CONTENT));

    assertThat(file).hasBinaryContent(CONTENT);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(directory.toFile().listFiles()).containsExactly(file.toFile());
  }

  @ParameterizedTest
  @MethodSource("fileSystems")
  void existingFileIsNotReplaced(Linking linking) throws IOException {
    Files.writeString(file, "mine");

    assertThatThrownBy(() -> new OwnerOnlyFile(file, linking).create(out -> out.write(CONTENT)))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(file).hasContent("mine");
    assertThat(directory.toFile().listFiles()).containsExactly(file.toFile());
  }

  @ParameterizedTest
  @MethodSource("fileSystems")
  void partiallyWrittenFileHasNoName(Linking linking) throws IOException {
    OwnerOnlyFile failing = new OwnerOnlyFile(file, linking);

    assertThatThrownBy(
            () ->
                failing.create(
                    out -> {
                      out.write(CONTENT);
                      assertThat(file).doesNotExist();
                      throw new IOException("halfway");
                    }))
        .hasMessage("halfway");

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void fileAppearingDuringWriteIsNotReplacedWithoutLinks() throws IOException {
    OwnerOnlyFile late =
        new OwnerOnlyFile(
            file,
            (name, existing) -> {
              Files.writeString(name, "mine");
              throw new UnsupportedOperationException("no links");
            });

    assertThatThrownBy(() -> late.create(out -> out.write(CONTENT)))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(file).hasContent("mine");
    assertThat(directory.toFile().listFiles()).containsExactly(file.toFile());
  }

  @Test
  void failedMoveReleasesName() throws IOException {
    OwnerOnlyFile lost =
        new OwnerOnlyFile(
            file,
            (name, existing) -> {
              Files.delete(existing);
              throw new UnsupportedOperationException("no links");
            });

    assertThatThrownBy(() -> lost.create(out -> out.write(CONTENT)))
        .isInstanceOf(NoSuchFileException.class);

    assertThat(directory).isEmptyDirectory();
  }
}
