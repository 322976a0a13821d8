package io.tokenvault.server.imports;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.json.JsonLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Reports lines that are not valid: to a file, after which the import continues, or to standard
 * error, after which it stops.
 *
 * <p>Each report is a line of JSON with the number of the line and its errors, never with its data.
 * After a failure an import repeats the last batch, and reports its lines again.
 */
public final class RejectedLines implements AutoCloseable {

  private final Optional<Path> path;
  private final Optional<FileChannel> file;
  private final PrintWriter err;

  /**
   * Opens the target.
   *
   * @param path the file to append to, created for its owner only; empty: standard error
   * @throws OperatorException if the file cannot be opened
   */
  public RejectedLines(Optional<Path> path, PrintWriter err) {
    this.path = path;
    this.file = path.map(RejectedLines::open);
    this.err = err;
  }

  /** Opens the file for appending, and creates it with permissions for its owner only. */
  private static FileChannel open(Path file) {
    try {
      return OwnerOnlyFile.open(file, StandardOpenOption.APPEND, StandardOpenOption.CREATE);
    } catch (IOException failed) {
      throw new OperatorException("The file " + file + " cannot be written; nothing was imported.");
    }
  }

  /**
   * Reports the errors of a line. They contain field names but never values.
   *
   * @param line the number of the line, from 1
   * @return whether to continue with the next line
   */
  boolean take(long line, Violations wrong) throws IOException {
    JsonLine report = new JsonLine().with("line", line).with("errors", errors(wrong));
    if (file.isEmpty()) {
      err.println(report);
      return false;
    }
    Channels.newOutputStream(file.get()).write(report.bytes());
    return true;
  }

  /** Returns the messages by the path of the field that they are about. */
  private static JsonObject errors(Violations wrong) {
    JsonLine errors = new JsonLine();
    wrong
        .asMap()
        .forEach(
            (path, messages) -> errors.with(path, messages.stream().map(JsonValue::of).toList()));
    return errors.json();
  }

  /**
   * Makes the reported lines durable. It is called before they count as completed. Files other than
   * regular ones cannot be made durable, and would report that as a failure.
   */
  void flush() throws IOException {
    if (path.isPresent() && Files.isRegularFile(path.get())) {
      file.get().force(false);
    }
  }

  @Override
  public void close() throws IOException {
    if (file.isPresent()) {
      file.get().close();
    }
  }
}
