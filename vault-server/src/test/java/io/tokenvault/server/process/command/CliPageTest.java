package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.place.FreshPostgres;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/cli.md shows the help of the program and examples that print what the page shows. */
final class CliPageTest {

  private static final Path PAGE = Path.of("..", "docs", "cli.md");
  private static final Pattern COMMAND =
      Pattern.compile("(?m)^### vault-server (.+)\n\n```text\n((?s:.*?))\n```");
  private static final Pattern SAMPLE_FILE =
      Pattern.compile("(?m)^`([\\w.-]+)`:\n\n```\\w+\n((?s:.*?))```");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?m)^```console\n\\$ vault-server (.+)\n((?s:.*?))```");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** The examples stop before this one, which needs an empty database. */
  private static final String RESTORE = "restore vault.backup";

  private final Map<String, String> ids = new HashMap<>();

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
    Path data = Directories.fresh();
    try (EmbeddedPostgres database = FreshPostgres.in(data)) {
      assertThat(database.jdbcUrl()).isNotEmpty();
      List<MatchResult> examples =
          EXAMPLE
              .matcher(page)
              .results()
              .filter(example -> !example.group(1).equals(RESTORE))
              .toList();
      assertThat(examples).hasSizeGreaterThan(15);
      examples.forEach(example -> run(example, directory, Directories.settings(data)));
    }
  }

  private void run(MatchResult example, Path directory, Map<String, String> settings) {
    String[] arguments =
        Stream.of(actual(example.group(1)).split(" (?=(?:[^']*'[^']*')*[^']*$)"))
            .map(argument -> argument.replace("'", ""))
            .map(argument -> inDirectory(argument, directory))
            .toArray(String[]::new);
    CommandRun run = CommandRun.run(settings, arguments).expectExit(0);
    String printed = run.out().replace(directory + "/", "");
    bind(example.group(2), printed);
    assertThat(lasting(printed)).as("%s", run).contains(lasting(actual(example.group(2))));
  }

  /** Files of the examples are in a directory that only the test knows. */
  private static String inDirectory(String argument, Path directory) {
    return argument.matches("[a-z]+\\.(json|jsonl|js|backup)")
        ? directory.resolve(argument).toString()
        : argument;
  }

  private String actual(String text) {
    return UUID.matcher(text)
        .replaceAll(id -> Matcher.quoteReplacement(ids.getOrDefault(id.group(), id.group())));
  }

  /** Binds each id that the page shows for the first time to the one that was printed. */
  private void bind(String shown, String printed) {
    List<String> there = UUID.matcher(shown).results().map(MatchResult::group).toList();
    List<String> here = UUID.matcher(printed).results().map(MatchResult::group).toList();
    for (int i = 0; i < Math.min(there.size(), here.size()); i++) {
      ids.putIfAbsent(there.get(i), here.get(i));
    }
  }

  /** Removes what differs from run to run: times, keys and numbers. */
  private static String lasting(String printed) {
    return printed
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "<time>")
        .replaceAll("key_\\w+", "<key>")
        .replaceAll("(?<=[:\\[,])\\d+", "<number>");
  }

  /** Returns all commands, with those that only group others. */
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
