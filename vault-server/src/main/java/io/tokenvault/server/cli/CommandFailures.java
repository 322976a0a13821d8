package io.tokenvault.server.cli;

import io.tokenvault.adapters.http.server.CannotListenException;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgresException;
import io.tokenvault.adapters.jdbi.stores.RestoreTerms.RefusedRestoreException;
import io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.ports.audit.LogMonths.RefusedDropException;
import io.tokenvault.ports.usecase.key.KeysetGuard.NodesLackKeyException;
import io.tokenvault.ports.usecase.key.KeysetGuard.WrongKeysetException;
import io.tokenvault.server.config.ConfigurationException;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.crypto.MasterKeyset.KeysetFileException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Reports the failure of a command on standard error and maps it to an exit code.
 *
 * <p>Only exceptions whose messages are written for the operator are printed as they are. Of any
 * other exception the class and the stack trace are printed, without its message.
 */
public final class CommandFailures implements IExecutionExceptionHandler {

  /** Exit code of a command that failed for any reason without a separate code. */
  public static final int FAILED = 1;

  /** Exit code for a setting, or a resource that it names, that cannot be used. */
  static final int MISCONFIGURED = 3;

  /** Exit code of an import with lines that are not valid. */
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
      reportFault(failure, err);
    }
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /**
   * Returns whether a retry would fail as well until a setting or the resource that it names is
   * changed.
   */
  private static boolean isOfTheSettings(Exception failure) {
    return failure instanceof ConfigurationException
        || failure instanceof CannotListenException
        || failure instanceof WrongKeysetException
        || (failure instanceof UnusableDatabaseException unusable && unusable.isPermanent());
  }

  /** Returns whether the message is written for the operator and contains no data. */
  private static boolean isExplained(Exception failure) {
    return failure instanceof VaultException
        || failure instanceof OperatorException
        || failure instanceof RefusedRestoreException
        || failure instanceof RefusedDropException
        || failure instanceof EmbeddedPostgresException
        || failure instanceof KeysetFileException
        || failure instanceof NodesLackKeyException
        || failure instanceof UnusableDatabaseException;
  }

  /**
   * Prints class and stack trace only: the message of an unknown exception may contain anything.
   */
  private static void reportFault(Exception failure, PrintWriter err) {
    err.println("Internal error: " + failure.getClass().getName());
    for (StackTraceElement frame : failure.getStackTrace()) {
      err.println("  at " + frame);
    }
  }
}
