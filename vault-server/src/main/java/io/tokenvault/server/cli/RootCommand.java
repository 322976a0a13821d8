package io.tokenvault.server.cli;

import io.tokenvault.server.cli.CommandContext.Terminal;
import io.tokenvault.server.config.OperatorException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/**
 * The root of the command line: all commands and their exit codes.
 *
 * <p>Results are printed to standard output, one line of JSON for each item; messages and log lines
 * are written to standard error. Commands receive a {@link CommandContext} instead of reading the
 * environment themselves.
 */
@Command(
    name = "vault-server",
    description = "Store sensitive data as tokens and send it to third parties through a proxy.",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = HelpCommand.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:failure; see standard error",
      "2:invalid command line",
      "3:invalid setting, or a file or service that it names cannot be used; see standard error"
    },
    footer = {"", "Settings are environment variables; see docs/configuration.md."})
public final class RootCommand {

  /** The commands in the order of the help. This is the only place that lists them. */
  private static final Map<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("serve", Serve::new);
    COMMANDS.put("demo", Demo::new);
    COMMANDS.put(
        "tenant",
        () -> group(new TenantCommands(), "create", "list", "show", "update", "delete", "shred"));
    COMMANDS.put("container", () -> group(new ContainerCommands(), "allow", "list", "remove"));
    COMMANDS.put("application", () -> group(new KeyCommands.Applications(), "resetKey"));
    COMMANDS.put(
        "transform",
        () -> group(new TransformCommands(), "init", new TransformCommands.TransformTest()));
    COMMANDS.put("modules", () -> group(new TransformCommands.Modules(), "check"));
    COMMANDS.put(
        "audit", () -> group(new AuditCommands(), new AuditVerify(), "dump", "export", "drop"));
    COMMANDS.put("tokens", () -> group(new TokensImport.Tokens(), new TokensImport()));
    COMMANDS.put("backup", BackupCommands.Backup::new);
    COMMANDS.put("restore", BackupCommands.Restore::new);
    COMMANDS.put(
        "keys",
        () ->
            group(
                new KeyCommands(),
                "init",
                "rotate",
                "status",
                group(new KeyCommands.MasterKeys(), "add", "promote", "rewrap")));
  }

  private final CommandContext context;

  private RootCommand(CommandContext context) {
    this.context = context;
  }

  CommandContext context() {
    return context;
  }

  /**
   * Runs one command with the standard streams of this process.
   *
   * @param environment environment variables with the settings
   * @param arguments the command, its options and parameters
   * @return the exit code: 0 for success; {@code --help} of a command lists the others
   */
  public static int run(
      Map<String, String> environment, SecureRandom randomness, String... arguments) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    return run(
        new CommandContext(environment, randomness, out, Terminal.ofProcess()),
        new FileOutputStream(FileDescriptor.err),
        arguments);
  }

  /**
   * Runs one command inside a program that continues afterwards. Log lines are still written to the
   * program's own log. Commands ask no questions.
   *
   * @param out receives the bytes of standard output; text is in UTF-8
   * @param err receives the command's messages on standard error, in UTF-8
   * @return the exit code
   */
  public static int run(
      Map<String, String> environment,
      SecureRandom randomness,
      OutputStream out,
      OutputStream err,
      String... arguments) {
    return run(new CommandContext(environment, randomness, out, Optional.empty()), err, arguments);
  }

  private static int run(CommandContext context, OutputStream err, String... arguments) {
    return commands(context, arguments)
        .setOut(new PrintWriter(context.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
        .execute(arguments);
  }

  /**
   * Returns the commands that an invocation needs, with descriptions as help shows them: the one
   * that the first argument names, since creating the others takes time, or all.
   */
  static CommandLine commands(CommandContext context, String... arguments) {
    CommandLine root = new CommandLine(new RootCommand(context));
    Supplier<Object> named = arguments.length > 0 ? COMMANDS.get(arguments[0]) : null;
    if (named != null) {
      root.addSubcommand(arguments[0], named.get());
    } else {
      COMMANDS.forEach((name, command) -> root.addSubcommand(name, command.get()));
    }
    configure(root);
    sentenceFirst(root);
    return root;
  }

  /**
   * Splits each description after its first sentence, because lists of commands show the first
   * element.
   */
  private static void sentenceFirst(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    usage.description(String.join(" ", usage.description()).split("(?<=\\.) ", 2));
    command.getSubcommands().values().forEach(RootCommand::sentenceFirst);
  }

  /**
   * Returns a group of commands in the given order.
   *
   * @param commands the names of methods of the group, or commands
   */
  private static CommandLine group(VaultCommand group, Object... commands) {
    CommandLine line = new CommandLine(group);
    for (Object command : commands) {
      line.addSubcommand(
          command instanceof String name
              ? new CommandLine(CommandLine.getCommandMethods(group.getClass(), name).get(0))
              : command);
    }
    return line;
  }

  /** Configures all commands, which have to be there. */
  private static void configure(CommandLine commands) {
    commands
        .registerConverter(UUID.class, RootCommand::uuid)
        .setExecutionExceptionHandler(new CommandFailures())
        .setExecutionStrategy(RootCommand::execute)
        // An argument that starts with an at sign is not replaced by the content of a file.
        .setExpandAtFiles(false);
  }

  /** Runs the command. A result that could not be written, such as a new API key, is a failure. */
  private static int execute(ParseResult parsed) {
    int exitCode = new RunLast().execute(parsed);
    List<CommandLine> path = parsed.asCommandLineList();
    CommandLine command = path.get(path.size() - 1);
    if (exitCode == 0 && command.getOut().checkError()) {
      String why = "The command ran, but its result is lost: standard output is closed or full.";
      throw new ExecutionException(command, why, new OperatorException(why));
    }
    return exitCode;
  }

  /** Parses an id; unlike the default converter its message does not name a Java class. */
  private static UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException("'" + text + "' is not a UUID");
    }
  }

  /**
   * Reads the version from the manifest of the jar; a build without one is a development version.
   */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      return new String[] {
        "vault-server "
            + Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("(development)")
      };
    }
  }
}
