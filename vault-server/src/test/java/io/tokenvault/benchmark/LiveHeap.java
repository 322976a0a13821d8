package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.RunningProgram;
import io.tokenvault.benchmark.program.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Java program holds in memory, asked from outside. */
final class LiveHeap {

  private static final double MEBIBYTE = 1 << 20;
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  private final Workspace workspace;
  private final String jcmd;
  private final long pid;

  /**
   * @param java the program that it is run by
   */
  LiveHeap(Workspace workspace, String java, long pid) {
    this.workspace = workspace;
    this.jcmd = Path.of(java).resolveSibling("jcmd").toString();
    this.pid = pid;
  }

  /** All reachable objects, in MiB, after a full collection. */
  double mebibytes() {
    List<String> command = List.of(jcmd, Long.toString(pid), "GC.class_histogram");
    try (RunningProgram asked =
        RunningProgram.start("jcmd", workspace.directory(), Map.of(), command)) {
      return Long.parseLong(first(TOTAL, asked.outputAtEnd())) / MEBIBYTE;
    }
  }

  /** The whole process, in MiB. */
  double residentMebibytes() {
    try {
      String status = Files.readString(Path.of("/proc", Long.toString(pid), "status"));
      return Long.parseLong(first(RESIDENT, status)) / 1024.0;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException(pattern + " is not in\n" + text);
    }
    return found.group(1);
  }
}
