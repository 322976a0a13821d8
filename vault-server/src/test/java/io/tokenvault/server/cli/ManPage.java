package io.tokenvault.server.cli;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** The manual page of a command, in the macros of {@code man}, with the text of its help. */
final class ManPage {

  private final CommandSpec command;
  private final Help help;

  ManPage(CommandLine command) {
    this.command = command.getCommandSpec();
    this.help = new Help(this.command, Help.defaultColorScheme(Ansi.OFF));
  }

  /** Returns the command with its groups, such as {@code vault-server-keys-init}. */
  String name() {
    return command.qualifiedName("-");
  }

  String text() {
    List<String> description = List.of(command.usageMessage().description());
    return Stream.of(
            ".TH %s 1 \"\" \"Token Vault\"\n".formatted(escaped(name().toUpperCase(Locale.ROOT))),
            section("NAME", name() + " - " + description.get(0)),
            section("SYNOPSIS", help.synopsis(0)),
            section("DESCRIPTION", String.join("\n", description)),
            listing("OPTIONS", help.parameterList() + help.optionList()),
            listing("COMMANDS", help.commandList()),
            listing("EXIT STATUS", help.exitCodeList()),
            section("NOTES", help.footer()))
        .collect(Collectors.joining());
  }

  private static String section(String title, String text) {
    return text.isBlank() ? "" : ".SH " + title + "\n" + escaped(text.strip()) + "\n";
  }

  /** Returns a section that keeps its line breaks, because it is a table. */
  private static String listing(String title, String text) {
    return text.isBlank()
        ? ""
        : ".SH " + title + "\n.nf\n" + escaped(text.stripTrailing()) + "\n.fi\n";
  }

  /** Escapes backslashes and hyphens, and periods and apostrophes at the start of a line. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e")
        .replace("-", "\\-")
        .lines()
        .map(line -> line.startsWith(".") || line.startsWith("'") ? "\\&" + line : line)
        .collect(Collectors.joining("\n"));
  }
}
