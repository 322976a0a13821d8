package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.place.FreshPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The classes of the test's own JVM as its users have the program's: in archives that stay open,
 * and not each in a file. Of what a server needs there is an image that a JVM maps into its memory
 * instead of reading it (class data sharing): a start takes two thirds of the processor's time, and
 * the tests start more than fifty. All JVMs of a build share both, and later builds of the same
 * classes do.
 */
final class ProgramClasses {

  private static final String LOADED = System.getProperty("java.class.path");
  private static final Path TOP = Path.of("target", "process-classes").toAbsolutePath();
  private static final ProgramClasses ONLY = prepare();

  private final String path;
  private final Path image;

  private ProgramClasses(String path, Path image) {
    this.path = path;
    this.image = image;
  }

  /** The options that give them to a JVM. */
  static List<String> options() {
    // A JVM that cannot map the image, for its own options or another reason, does without.
    return List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + ONLY.image, "-cp", ONLY.path);
  }

  private static ProgramClasses prepare() {
    Path folder = TOP.resolve(Integer.toHexString(fingerprint()));
    try {
      Files.createDirectories(folder);
      try (FileChannel file =
              FileChannel.open(
                  folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock othersWait = file.lock()) {
        assertThat(othersWait.isValid()).isTrue();
        ProgramClasses all =
            new ProgramClasses(archived(folder), folder.resolve("vault-server.jsa"));
        if (!Files.exists(all.image)) {
          all.makeImage(folder);
        }
        return all;
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Of each file that could be on the path, where it is, how long, and since when. */
  private static int fingerprint() {
    return loaded()
        .flatMap(ProgramClasses::files)
        .map(ProgramClasses::identity)
        .collect(Collectors.toUnmodifiableSet())
        .hashCode();
  }

  private static Stream<Path> loaded() {
    return Stream.of(LOADED.split(File.pathSeparator))
        .filter(each -> !each.isEmpty())
        .map(Path::of)
        .filter(Files::exists);
  }

  private static Stream<Path> files(Path place) {
    try (Stream<Path> all = Files.walk(place)) {
      return all.filter(Files::isRegularFile).toList().stream();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String identity(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return file + " " + attributes.size() + " " + attributes.lastModifiedTime();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String archived(Path folder) {
    return loaded()
        .map(each -> Files.isDirectory(each) ? archive(each, folder) : each)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path archive(Path classes, Path folder) {
    Path archive = folder.resolve(Integer.toHexString(classes.hashCode()) + ".jar");
    if (!Files.exists(archive)) {
      Path unfinished = folder.resolve("unfinished.jar");
      String[] arguments = {
        "--create", "--no-compress", "--file=" + unfinished, "-C", classes.toString(), "."
      };
      ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
      assertThat(jar.run(System.out, System.err, arguments)).isZero();
      move(unfinished, archive);
    }
    return archive;
  }

  /** What a server has loaded when it listens is written when it ends. */
  private void makeImage(Path folder) {
    Path data = Directories.fresh();
    FreshPostgres.prepare(data);
    Path unfinished = folder.resolve("unfinished.jsa");
    List<String> options = List.of("-XX:ArchiveClassesAtExit=" + unfinished, "-cp", path);
    VaultProcess.serve(VaultCommand.java(options, "256m", "serve"), Directories.settings(data))
        .close();
    if (Files.exists(unfinished)) {
      move(unfinished, image);
    }
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
