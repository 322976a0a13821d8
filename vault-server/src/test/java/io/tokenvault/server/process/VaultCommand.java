package io.tokenvault.server.process;

import io.tokenvault.server.VaultServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How the program is started, with the {@linkplain ProgramClasses classes} of the test's JVM. */
final class VaultCommand {

  private VaultCommand() {}

  /**
   * With arguments of its own.
   *
   * @param heap as {@code -Xmx} takes it
   */
  static List<String> of(String heap, String... arguments) {
    return withOptions(List.of(), heap, arguments);
  }

  /** The same with options of the JVM's. */
  static List<String> withOptions(List<String> options, String heap, String... arguments) {
    List<String> all = new ArrayList<>(options);
    all.addAll(ProgramClasses.options());
    return java(all, heap, arguments);
  }

  /** The same with a limit of open files and connections. */
  static List<String> withDescriptors(int limit, String heap, String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "ulimit -n " + limit + "; exec \"$@\"", "sh"));
    command.addAll(of(heap, arguments));
    return command;
  }

  /** The same with no other options than these, of which one tells where the classes are. */
  static List<String> java(List<String> options, String heap, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx" + heap));
    command.addAll(options);
    command.add(VaultServer.class.getName());
    command.addAll(List.of(arguments));
    return command;
  }
}
