package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Workspace;
import io.tokenvault.server.environment.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Measures the memory of another JVM. */
final class JvmMemory {

  private static final double MEBIBYTE = 1 << 20;
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  private final Workspace workspace;
  private final String jcmd;
  private final long pid;

  /**
   * @param java the java executable that runs the JVM
   */
  JvmMemory(Workspace workspace, String java, long pid) {
    this.workspace = workspace;
    this.jcmd = Path.of(java).resolveSibling("jcmd").toString();
    this.pid = pid;
  }

  /** Returns the size of all reachable objects, in MiB, after a full garbage collection. */
  double liveMebibytes() {
    List<String> command = List.of(jcmd, Long.toString(pid), "GC.class_histogram");
    return Long.parseLong(firstGroup(TOTAL, workspace.run(Map.of(), command))) / MEBIBYTE;
  }

  /** Returns the resident memory of the process, in MiB. */
  double residentMebibytes() {
    Path file = Path.of("/proc", Long.toString(pid), "status");
    String status = Unchecked.get(() -> Files.readString(file));
    return Long.parseLong(firstGroup(RESIDENT, status)) / 1024.0;
  }

  private static String firstGroup(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException(pattern + " is not in\n" + text);
    }
    return found.group(1);
  }
}
