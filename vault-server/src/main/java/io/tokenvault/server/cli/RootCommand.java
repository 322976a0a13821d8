package io.tokenvault.server.cli;

import io.tokenvault.server.cli.application.ApplicationResetKey;
import io.tokenvault.server.cli.audit.AuditDrop;
import io.tokenvault.server.cli.audit.AuditDump;
import io.tokenvault.server.cli.audit.AuditExport;
import io.tokenvault.server.cli.audit.AuditVerify;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.CommandFailures;
import io.tokenvault.server.cli.key.KeysInit;
import io.tokenvault.server.cli.key.KeysRotate;
import io.tokenvault.server.cli.key.KeysStatus;
import io.tokenvault.server.cli.key.MasterKeyCommand;
import io.tokenvault.server.cli.server.Backup;
import io.tokenvault.server.cli.server.Demo;
import io.tokenvault.server.cli.server.Restore;
import io.tokenvault.server.cli.server.Serve;
import io.tokenvault.server.cli.tenant.ContainerCommand;
import io.tokenvault.server.cli.tenant.TenantCreate;
import io.tokenvault.server.cli.tenant.TenantList;
import io.tokenvault.server.cli.tenant.TenantRemoval;
import io.tokenvault.server.cli.tenant.TenantShow;
import io.tokenvault.server.cli.tenant.TenantUpdate;
import io.tokenvault.server.cli.token.TokensImport;
import io.tokenvault.server.cli.transform.TransformTest;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;
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
    description = "Keeps sensitive data as tokens, and puts it into requests to third parties.",
    mixinStandardHelpOptions = true,
    versionProvider = RootCommand.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = HelpCommand.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed; standard error says why",
      "2:wrong command line",
      "3:a setting, or what it names, cannot be used; standard error says which"
    },
    footer = {"", "Settings come from environment variables; docs/configuration.md lists them."})
public final class RootCommand {

  private RootCommand() {}

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
    return commands(new CommandContext(environment, randomness, out)).execute(arguments);
  }

  /**
   * Runs one command inside a program that continues afterwards. Log lines are still written to the
   * program's own log.
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
    return commands(new CommandContext(environment, randomness, out))
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
        .execute(arguments);
  }

  private static CommandLine commands(CommandContext surroundings) {
    CommandLine commands = tree(surroundings);
    sentenceFirst(commands);
    return commands;
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

  /** Returns all commands. This is the only place that lists them. */
  static CommandLine tree(CommandContext surroundings) {
    return new CommandLine(new RootCommand())
        .addSubcommand(new Serve(surroundings))
        .addSubcommand(new Demo(surroundings))
        .addSubcommand(
            new CommandLine(new Tenant())
                .addSubcommand(new TenantCreate(surroundings))
                .addSubcommand(new TenantList(surroundings))
                .addSubcommand(new TenantShow(surroundings))
                .addSubcommand(new TenantUpdate(surroundings))
                .addSubcommand(new TenantRemoval.TenantDelete(surroundings))
                .addSubcommand(new TenantRemoval.TenantShred(surroundings)))
        .addSubcommand(
            new CommandLine(new Container())
                .addSubcommand(new ContainerCommand.ContainerAllow(surroundings))
                .addSubcommand(new ContainerCommand.ContainerList(surroundings))
                .addSubcommand(new ContainerCommand.ContainerRemove(surroundings)))
        .addSubcommand(
            new CommandLine(new Application()).addSubcommand(new ApplicationResetKey(surroundings)))
        .addSubcommand(
            new CommandLine(new Transform()).addSubcommand(new TransformTest(surroundings)))
        .addSubcommand(
            new CommandLine(new Audit())
                .addSubcommand(new AuditVerify(surroundings))
                .addSubcommand(new AuditDump(surroundings))
                .addSubcommand(new AuditExport(surroundings))
                .addSubcommand(new AuditDrop(surroundings)))
        .addSubcommand(new CommandLine(new Tokens()).addSubcommand(new TokensImport(surroundings)))
        .addSubcommand(new Backup(surroundings))
        .addSubcommand(new Restore(surroundings))
        .addSubcommand(
            new CommandLine(new Keys())
                .addSubcommand(new KeysInit(surroundings))
                .addSubcommand(new KeysRotate(surroundings))
                .addSubcommand(new KeysStatus(surroundings))
                .addSubcommand(
                    new CommandLine(new RotateMaster())
                        .addSubcommand(new MasterKeyCommand.MasterKeyAdd(surroundings))
                        .addSubcommand(new MasterKeyCommand.MasterKeyPromote(surroundings))
                        .addSubcommand(new MasterKeyCommand.MasterKeyRewrap(surroundings))))
        .registerConverter(UUID.class, RootCommand::uuid)
        .setExecutionExceptionHandler(new CommandFailures())
        // An argument that starts with an at sign is not replaced by the content of a file.
        .setExpandAtFiles(false);
  }

  /** Groups the commands that manage tenants. */
  @Command(
      name = "tenant",
      description = "Creates, lists, shows, changes, deletes and shreds tenants.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class Tenant {}

  /** Groups the commands that work on the code of transforms. */
  @Command(
      name = "transform",
      description = "Tries transforms out.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class Transform {}

  /** Groups the commands that bind containers to destinations. */
  @Command(
      name = "container",
      description = {
        "Says which destinations the tokens of a tenant's containers may go to. A container with",
        "one or more is bound: its tokens, and those under it, go nowhere else."
      },
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class Container {}

  /** Groups the commands that work on many tokens. */
  @Command(
      name = "tokens",
      description = "Brings tokens from elsewhere.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class Tokens {}

  /** Parses an id; unlike the default converter its message does not name a Java class. */
  private static UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException wrong) {
      throw new TypeConversionException("'" + text + "' is not a UUID");
    }
  }

  /** Groups the commands that manage applications. */
  @Command(
      name = "application",
      description = "Helps where an application's key is lost.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class Application {}

  /** Groups the commands that work on the audit log. */
  @Command(
      name = "audit",
      description = "Verifies and exports the log, and ends its retention.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class Audit {}

  /** Groups the commands that manage the master keyset and the keys of tenants. */
  @Command(
      name = "keys",
      description = "Makes, rotates and shows keys.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class Keys {}

  /** Groups the steps that introduce a new master key. */
  @Command(
      name = "rotate-master",
      description = {
        "Brings a new master key into use: add, give the file to all nodes, promote, give the file",
        "to all nodes again, rewrap."
      },
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "COMMAND")
  private static final class RotateMaster {}

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
