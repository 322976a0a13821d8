package io.tokenvault.benchmark.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much processor time everything took that the benchmark has started, ended programs included.
 * Other work on the machine slows requests, but hardly changes what they take.
 */
public final class CpuTime {

  /** Of Linux, on every architecture that it runs Java on. */
  private static final double MICROS_PER_TICK = 10_000;

  private static final int USER = 11;
  private static final int CHILDREN_USER = 13;
  private static final int END = 15;

  private CpuTime() {}

  /** In microseconds; not a number where the system does not tell it as Linux does. */
  public static double micros() {
    ProcessHandle own = ProcessHandle.current();
    double started = own.descendants().mapToDouble(each -> ticks(each.pid(), USER)).sum();
    return (started + ticks(own.pid(), CHILDREN_USER)) * MICROS_PER_TICK;
  }

  private static double ticks(long pid, int from) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      // The name, in brackets, can hold spaces; the fields that follow cannot.
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
