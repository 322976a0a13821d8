package io.tokenvault.benchmark.program;

import io.tokenvault.server.environment.DatabaseAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs a statement with pgbench on the vault's database. */
public final class PgBench {

  private static final Pattern TRANSACTIONS =
      Pattern.compile("number of transactions actually processed: (\\d+)");
  private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+) \\(without");
  private static final String JDBC = "jdbc:";

  private final Workspace workspace;
  private final Path script;
  private final Map<String, String> password;
  private final List<String> connection;

  /**
   * @param sql a statement, after assignments of its variables
   */
  public PgBench(String name, Workspace workspace, DatabaseAddress database, String sql) {
    this.workspace = workspace;
    this.script = workspace.file(name + ".sql", sql);
    this.password = Map.of("PGPASSWORD", database.ownerPassword());
    URI address = URI.create(database.jdbcUrl().substring(JDBC.length()));
    this.connection =
        List.of(
            "-h",
            address.getHost(),
            "-p",
            Integer.toString(address.getPort()),
            "-U",
            database.ownerUser(),
            address.getPath().substring(1));
  }

  public LoadResult run(int clients, int seconds) {
    List<String> command =
        new ArrayList<>(Tool.PGBENCH.command("-n", "-M", "prepared", "-c", clients, "-j", 2));
    command.addAll(List.of("-T", Integer.toString(seconds), "-f", script.toString()));
    command.addAll(connection);
    double before = CpuTime.micros();
    String output = workspace.run(password, command);
    return LoadResult.ofPgBench(
        Long.parseLong(firstGroup(TRANSACTIONS, output)),
        Double.parseDouble(firstGroup(RATE, output)),
        CpuTime.micros() - before);
  }

  private static String firstGroup(Pattern pattern, String output) {
    Matcher found = pattern.matcher(output);
    if (!found.find()) {
      throw new IllegalStateException("pgbench has no result:\n" + output);
    }
    return found.group(1);
  }
}
