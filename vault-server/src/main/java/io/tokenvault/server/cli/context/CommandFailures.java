package io.tokenvault.server.cli.context;

import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgresException;
import io.tokenvault.adapters.jdbi.stores.RefusedRestoreException;
import io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.ports.audit.LogMonths.RefusedDropException;
import io.tokenvault.ports.usecase.key.KeysetGuard.NodesLackKeyException;
import io.tokenvault.ports.usecase.key.KeysetGuard.WrongKeysetException;
import io.tokenvault.server.assembly.StartException;
import io.tokenvault.server.audit.UnreadableLogException;
import io.tokenvault.server.backup.RefusedBackupException;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.crypto.KeysetFileException;
import io.tokenvault.server.imports.RefusedImportException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Tells what went wrong on standard error, and turns it into an exit code. */
public final class CommandFailures implements IExecutionExceptionHandler {

  public static final int FAILED = 1;
  static final int MISCONFIGURED = 3;

  /** An import came to lines in which something is wrong. */
  public static final int REJECTED_LINES = 4;

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult result) {
    PrintWriter err = command.getErr();
    if (isOfTheSettings(failure)) {
      err.println(failure.getMessage());
      return MISCONFIGURED;
    }
    if (failure instanceof ValidationException invalid) {
      invalid
          .errors()
          .forEach((path, messages) -> err.println(path + " " + String.join("; ", messages)));
    } else if (isExplained(failure)) {
      err.println(failure.getMessage());
    } else {
      tellFault(failure, err);
    }
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /** Whether another try would fail as well, until a setting or what it names is changed. */
  private static boolean isOfTheSettings(Exception failure) {
    return failure instanceof ConfigurationException
        || failure instanceof CannotListenException
        || failure instanceof WrongKeysetException
        || (failure instanceof UnusableDatabaseException unusable && unusable.isLasting());
  }

  /** Whether the message was written for the operator. */
  private static boolean isExplained(Exception failure) {
    return failure instanceof VaultException
        || failure instanceof UnreadableLogException
        || failure instanceof StartException
        || failure instanceof CannotWriteException
        || failure instanceof RefusedBackupException
        || failure instanceof RefusedImportException
        || failure instanceof RefusedRestoreException
        || failure instanceof RefusedDropException
        || failure instanceof EmbeddedPostgresException
        || failure instanceof KeysetFileException
        || failure instanceof NodesLackKeyException
        || failure instanceof UnusableDatabaseException;
  }

  /** Names and places only: the text of an unknown exception may hold anything. */
  private static void tellFault(Exception failure, PrintWriter err) {
    err.println("Failed by a fault of the program: " + failure.getClass().getName());
    for (StackTraceElement frame : failure.getStackTrace()) {
      err.println("  at " + frame);
    }
  }
}
