package io.tokenvault.benchmark.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Measures the CPU time of all programs that the benchmark started, including those that ended.
 * Other load on the machine slows requests down, but hardly changes their CPU time.
 */
public final class CpuTime {

  /** The clock tick of Linux on all architectures with Java. */
  private static final double MICROS_PER_TICK = 10_000;

  private static final int USER = 11;
  private static final int CHILDREN_USER = 13;
  private static final int END = 15;

  private CpuTime() {}

  /** Returns the CPU time in microseconds; NaN on systems other than Linux. */
  public static double micros() {
    ProcessHandle own = ProcessHandle.current();
    double started = own.descendants().mapToDouble(each -> ticks(each.pid(), USER)).sum();
    return (started + ticks(own.pid(), CHILDREN_USER)) * MICROS_PER_TICK;
  }

  private static double ticks(long pid, int from) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // The name in parentheses can contain spaces; the fields after it cannot.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      double sum = 0;
      for (int field = from; field < END; field++) {
        sum += Long.parseLong(fields[field]);
      }
      return sum;
    } catch (IOException endedOrNotLinux) {
      return Files.isDirectory(Path.of("/proc/self")) ? 0 : Double.NaN;
    }
  }
}
