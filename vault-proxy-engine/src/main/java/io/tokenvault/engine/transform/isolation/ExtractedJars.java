package io.tokenvault.engine.transform.isolation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * The jars of classes that were loaded from a jar within a jar, as in an executable jar of Spring
 * Boot.
 *
 * <p>A worker is a plain JVM, which cannot load from nested jars, so that they are extracted to a
 * temporary directory. All users may read it, since workers may run as other users. Closing it
 * deletes the directory. Not thread-safe.
 */
final class ExtractedJars implements AutoCloseable {

  private Optional<Path> directory = Optional.empty();
  private final List<Path> jars = new ArrayList<>();

  /**
   * Returns the file or folder of a class, or the extracted jar.
   *
   * @param name the name of an extracted jar, without a suffix
   * @throws IllegalArgumentException if the class was loaded from neither a file nor a jar
   */
  Path sourceOf(Class<?> loaded, String name) throws IOException {
    URL location = WorkerProgram.location(loaded);
    return location.getProtocol().equals("file")
        ? WorkerProgram.sourceOf(loaded)
        : extract(location, name + ".jar");
  }

  /** Copies the jar at a URL. */
  Path extract(URL location, String name) throws IOException {
    URLConnection connection = location.openConnection();
    if (!(connection instanceof JarURLConnection nested)) {
      throw new IllegalArgumentException(
          "the classes of workers are neither in a file nor in a jar: " + location);
    }
    connection.setUseCaches(false);
    Path copy = directory().resolve(name);
    jars.add(copy);
    try (JarFile jar = nested.getJarFile();
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(copy))) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        out.putNextEntry(new JarEntry(entry.getName()));
        jar.getInputStream(entry).transferTo(out);
        out.closeEntry();
      }
    }
    makeReadable(copy, "rw-r--r--");
    return copy;
  }

  private Path directory() throws IOException {
    if (directory.isEmpty()) {
      Path created = Files.createTempDirectory("token-vault-workers-");
      directory = Optional.of(created);
      makeReadable(created, "rwxr-xr-x");
    }
    return directory.get();
  }

  private static void makeReadable(Path file, String permissions) throws IOException {
    if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }
  }

  @Override
  public void close() {
    try {
      for (Path jar : jars) {
        Files.deleteIfExists(jar);
      }
      if (directory.isPresent()) {
        Files.deleteIfExists(directory.get());
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
