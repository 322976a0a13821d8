package io.tokenvault.benchmark;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs wrk with one kind of request. */
final class Wrk {

  private static final String RESULT = "RESULT ";
  private static final String DONE =
      """
      done = function(summary, latency, requests)
        local e = summary.errors
        io.write(string.format(
          "RESULT requests=%d duration_us=%d p50_us=%.1f p99_us=%.1f errors=%d\\n",
          summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
          e.status + e.connect + e.read + e.write + e.timeout))
      end
      """;

  private final Workspace workspace;
  private final Path script;
  private final int connections;
  private final int threads;

  private Wrk(Workspace workspace, Path script, int connections, int threads) {
    this.workspace = workspace;
    this.script = script;
    this.connections = connections;
    this.threads = threads;
  }

  /** Always the same POST of JSON. */
  static Wrk posting(
      String name, Workspace workspace, Map<String, String> headers, String body, int connections) {
    String lua =
        "wrk.method = \"POST\"\nwrk.body = [==[" + body + "]==]\n" + assignments(headers) + DONE;
    return new Wrk(workspace, workspace.file(name + ".lua", lua), connections, 2);
  }

  /** GET of paths that are drawn at random. */
  static Wrk getting(
      String name,
      Workspace workspace,
      Map<String, String> headers,
      List<String> paths,
      int connections) {
    String file = workspace.file(name + ".paths", String.join("\n", paths) + "\n").toString();
    String lua =
        assignments(headers)
            + """
            local seed = 0
            setup = function(thread) seed = seed + 1; thread:set("seed", seed) end
            local all = {}
            init = function(arguments)
              math.randomseed(os.time() + seed)
              for path in io.lines("%s") do all[#all + 1] = wrk.format("GET", path) end
            end
            request = function() return all[math.random(#all)] end
            """
                .formatted(file)
            + DONE;
    return new Wrk(workspace, workspace.file(name + ".lua", lua), connections, 2);
  }

  private static String assignments(Map<String, String> headers) {
    return headers.entrySet().stream()
        .map(each -> "wrk.headers[\"" + each.getKey() + "\"] = \"" + each.getValue() + "\"\n")
        .collect(Collectors.joining());
  }

  Load run(String url, int seconds) {
    List<String> command = new ArrayList<>(List.of(Tool.WRK.require(), "--latency"));
    command.addAll(List.of("-c", Integer.toString(connections)));
    command.addAll(List.of("-t", Integer.toString(Math.min(threads, connections))));
    command.addAll(List.of("-d", seconds + "s", "--timeout", "10s"));
    command.addAll(List.of("-s", script.toString(), url));
    try (RunningProgram wrk =
        RunningProgram.start("wrk", workspace.directory(), Map.of(), command)) {
      return Load.parse(figures(wrk.outputAtEnd()));
    }
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
