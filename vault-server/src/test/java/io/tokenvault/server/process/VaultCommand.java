package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.VaultServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the program is started, with the classes of the test's own JVM. */
final class VaultCommand {

  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final Path ARCHIVES = Path.of("target", "process-classes");

  private VaultCommand() {}

  /**
   * With arguments of its own.
   *
   * @param heap as {@code -Xmx} takes it
   */
  static List<String> of(String heap, String... arguments) {
    return with(CLASS_PATH, List.of(), heap, arguments);
  }

  /** The same with options of the JVM's. */
  static List<String> withOptions(List<String> options, String heap, String... arguments) {
    return with(CLASS_PATH, options, heap, arguments);
  }

  /**
   * The same with a limit of open files and connections. The vault's own classes are in archives
   * that stay open, as its users have them, and not each in a file.
   */
  static List<String> withDescriptors(int limit, String heap, String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "ulimit -n " + limit + "; exec \"$@\"", "sh"));
    command.addAll(with(archived(), List.of(), heap, arguments));
    return command;
  }

  private static List<String> with(
      String classPath, List<String> options, String heap, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx" + heap));
    command.addAll(options);
    command.addAll(List.of("-cp", classPath));
    command.add(VaultServer.class.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  private static String archived() {
    return Stream.of(CLASS_PATH.split(File.pathSeparator))
        .filter(each -> !each.isEmpty())
        .map(Path::of)
        .map(each -> Files.isDirectory(each) ? archive(each) : each)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path archive(Path classes) {
    try {
      Files.createDirectories(ARCHIVES);
      Path archive = Files.createTempFile(ARCHIVES, "classes", ".jar");
      String[] arguments = {
        "--create", "--no-compress", "--file=" + archive, "-C", classes.toString(), "."
      };
      ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
      assertThat(jar.run(System.out, System.err, arguments)).isZero();
      return archive;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
