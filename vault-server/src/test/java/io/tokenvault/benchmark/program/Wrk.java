package io.tokenvault.benchmark.program;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs wrk with two threads, which repeat one request or pick from several. */
public final class Wrk {

  private static final String THREADS = "2";
  private static final String RESULT = "RESULT ";

  /** A script that formats each request only once, and replaces digits in it if they vary. */
  private static final String SCRIPT =
      """
      local seed = 0
      setup = function(thread)
        seed = seed + 1
        thread:set("seed", seed)
      end
      local made = {}
      init = function(arguments)
        math.randomseed(os.time() * 10 + seed)
        for _, each in ipairs(exchanges) do
          made[#made + 1] = wrk.format(each[1], each[2], each[3], each[4])
        end
      end
      local function digits()
        return string.format("%%08d%%08d", math.random(0, 99999999), math.random(0, 99999999))
      end
      request = function()
        local one = made[#made == 1 and 1 or math.random(#made)]
        return %s
      end
      done = function(summary, latency, requests)
        local e = summary.errors
        io.write(string.format(
          "RESULT requests=%%d duration_us=%%d p50_us=%%.1f p99_us=%%.1f errors=%%d\\n",
          summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
          e.status + e.connect + e.read + e.write + e.timeout))
      end
      """;

  private final Workspace workspace;
  private final Path script;
  private final int connections;

  private Wrk(Workspace workspace, Path script, int connections) {
    this.workspace = workspace;
    this.script = script;
    this.connections = connections;
  }

  /** Writes a script with this name, which sends one of the requests at random each time. */
  public static Wrk of(
      String name, Workspace workspace, List<WrkRequest> requests, int connections) {
    boolean varying =
        requests.stream().anyMatch(each -> each.body().contains(WrkRequest.RANDOM_DIGITS));
    String all =
        requests.stream()
            .map(each -> "{" + each.toLua() + "}")
            .collect(Collectors.joining(",\n", "local exchanges = {\n", "}\n"));
    String choice = varying ? "(one:gsub(\"" + WrkRequest.RANDOM_DIGITS + "\", digits, 1))" : "one";
    Path script = workspace.file(name + ".lua", all + SCRIPT.formatted(choice));
    return new Wrk(workspace, script, connections);
  }

  public LoadResult run(String url, int seconds) {
    List<String> command =
        Tool.WRK.command(
            "--latency",
            "-c" + connections,
            "-t" + THREADS,
            "-d" + seconds + "s",
            "--timeout",
            "10s",
            "-s",
            script,
            url);
    double before = CpuTime.micros();
    String output = workspace.run(Map.of(), command);
    return LoadResult.ofWrk(figures(output), CpuTime.micros() - before);
  }

  private static Map<String, Double> figures(String output) {
    String result =
        output
            .lines()
            .filter(line -> line.startsWith(RESULT))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("wrk has no result:\n" + output));
    return Stream.of(result.substring(RESULT.length()).split(" "))
        .map(figure -> figure.split("="))
        .collect(Collectors.toMap(parts -> parts[0], parts -> Double.valueOf(parts[1])));
  }
}
