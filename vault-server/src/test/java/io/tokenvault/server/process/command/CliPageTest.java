package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.documentation.SampleMatcher;
import io.tokenvault.server.environment.FreshPostgres;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the help texts and the examples in docs/cli.md. */
final class CliPageTest {

  private static final Path PAGE = Path.of("..", "docs", "cli.md");
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^### vault-server (.+)\n\n```text\n((?s:.*?))\n```");
  private static final Pattern SAMPLE_FILE =
      Pattern.compile("(?m)^`([\\w.-]+)`:\n\n```\\w+\n((?s:.*?))```");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?m)^```console\n\\$ vault-server (.+)\n((?s:.*?))```");

  /** An example that is skipped, since it needs an empty database. */
  private static final String RESTORE = "restore vault.backup";

  private final SampleMatcher samples = SampleMatcher.ofSampleNumbers();

  @Test
  void pageShowsTheHelpOfEveryCommand() throws IOException {
    Map<String, String> shown = new HashMap<>();
    COMMAND
        .matcher(Files.readString(PAGE))
        .results()
        .forEach(section -> shown.put(section.group(1), section.group(2)));
    assertThat(shown.keySet()).containsExactlyInAnyOrderElementsOf(commandsBelow("").toList());
    shown.forEach((command, help) -> assertThat(help).as(command).isEqualTo(help(command)));
  }

  @Tag("long")
  @Test
  void examplesPrintWhatThePageShows(@TempDir Path directory) throws IOException {
    String page = Files.readString(PAGE);
    for (MatchResult sample : SAMPLE_FILE.matcher(page).results().toList()) {
      Files.writeString(directory.resolve(sample.group(1)), sample.group(2));
    }
    Path data = DataDirectories.fresh();
    try (EmbeddedPostgres database = FreshPostgres.in(data)) {
      assertThat(database.jdbcUrl()).isNotEmpty();
      List<MatchResult> examples =
          EXAMPLE
              .matcher(page)
              .results()
              .filter(example -> !example.group(1).equals(RESTORE))
              .toList();
      assertThat(examples).hasSizeGreaterThan(15);
      examples.forEach(example -> run(example, directory, DataDirectories.settings(data)));
    }
  }

  private void run(MatchResult example, Path directory, Map<String, String> settings) {
    String[] arguments =
        Stream.of(samples.fill(example.group(1)).split(" (?=(?:[^']*'[^']*')*[^']*$)"))
            .map(argument -> argument.replace("'", ""))
            .map(argument -> inDirectory(argument, directory))
            .toArray(String[]::new);
    CommandRun run = CommandRun.run(settings, arguments).expectExit(0);
    String printed = run.out().replace(directory + "/", "");
    samples.expect(run.name(), "<text>" + example.group(2) + "<text>", printed);
  }

  /** Returns the path of a file that an example names, in the directory of the test. */
  private static String inDirectory(String argument, Path directory) {
    return argument.matches("[a-z]+\\.(json|jsonl|js|backup)")
        ? directory.resolve(argument).toString()
        : argument;
  }

  /** Returns all commands, including those that only group others. */
  private static Stream<String> commandsBelow(String group) {
    String[] parts = help(group).split("\nCommands:\n");
    return parts.length == 1
        ? Stream.empty()
        : parts[1]
            .lines()
            .takeWhile(line -> !line.isEmpty())
            .filter(line -> line.matches("  \\S.*"))
            .map(line -> (group + " " + line.strip().split(" ")[0]).strip())
            .filter(command -> !command.equals("help"))
            .flatMap(command -> Stream.concat(Stream.of(command), commandsBelow(command)));
  }

  private static String help(String command) {
    String[] arguments = (command + " --help").strip().split(" ");
    return CommandRun.run(Map.of(), arguments).expectExit(0).out().stripTrailing();
  }
}
