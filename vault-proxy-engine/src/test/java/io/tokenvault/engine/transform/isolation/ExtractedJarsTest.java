package io.tokenvault.engine.transform.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExtractedJarsTest {

  private static final String ENTRY = "some/Resource.txt";

  @TempDir private Path directory;

  /** Returns the URL of a jar in the form that class loaders of executable jars use. */
  private URL nestedJar() throws IOException {
    Path jar = directory.resolve("inner.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(ENTRY));
      out.write("content".getBytes(StandardCharsets.UTF_8));
      out.closeEntry();
    }
    return URI.create("jar:" + jar.toUri() + "!/").toURL();
  }

  @Test
  void nestedJarIsCopiedForAllUsersAndDeletedOnClose() throws IOException {
    ExtractedJars extracted = new ExtractedJars();
    Path copy = extracted.extract(nestedJar(), "engine.jar");

    try (JarFile jar = new JarFile(copy.toFile())) {
      assertThat(jar.getInputStream(jar.getEntry(ENTRY))).hasContent("content");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.getParent())))
        .isEqualTo("rwxr-xr-x");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
        .isEqualTo("rw-r--r--");
    extracted.close();
    assertThat(copy.getParent()).doesNotExist();
  }

  @Test
  void urlOutsideOfFileSystemIsRejected() throws IOException {
    try (ExtractedJars extracted = new ExtractedJars()) {
      URL remote = URI.create("http://127.0.0.1/engine.jar").toURL();
      assertThatThrownBy(() -> extracted.extract(remote, "engine.jar"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("neither in a file nor in a jar: " + remote);
    }
  }
}
