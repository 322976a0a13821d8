package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.BenchmarkOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Prints results without buffering. */
final class Report {

  private static final Path LOAD_AVERAGE = Path.of("/proc/loadavg");

  void line(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
    System.out.flush();
  }

  /** Prints the title of a part and its environment. */
  void startPart(String title, BenchmarkOptions options) {
    line("");
    line("== %s ==", title);
    line(
        "%d processors, load %s; vault: %s, -Xmx%s %s",
        Runtime.getRuntime().availableProcessors(),
        loadAverage(),
        options.javaVersion(),
        options.heap,
        options.settings.isEmpty() ? "" : options.settings);
  }

  /** Returns the load average of the machine. */
  static String loadAverage() {
    try {
      return Files.readString(LOAD_AVERAGE).strip();
    } catch (IOException notThisSystem) {
      return "unknown";
    }
  }
}
