package io.tokenvault.server.imports;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.json.JsonLine;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reports lines that are not valid: to a file, after which the import continues, or to standard
 * error, after which it stops.
 *
 * <p>Each report is a line of JSON with the number of the line and its errors, never with its data.
 * After a failure an import repeats the last batch. The methods {@link #end} and {@link
 * #expectFrom} let it recognize lines that were reported before.
 */
public final class RejectedLines implements AutoCloseable {

  private final Optional<Path> path;
  private final Optional<FileChannel> file;
  private final PrintWriter err;
  private Optional<EarlierReports> before = Optional.empty();

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
    byte[] all = report.bytes();
    int known = before.isPresent() ? before.get().known(all) : 0;
    Channels.newOutputStream(file.get()).write(all, known, all.length - known);
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

  /** Makes the reported lines durable. It is called before they count as completed. */
  void flush() throws IOException {
    if (isOnDisk()) {
      file.get().force(false);
    }
    forget();
  }

  /**
   * Returns the position of the next line.
   *
   * <p>Empty for a pipe, a terminal or a device: they have no positions.
   */
  OptionalLong end() throws IOException {
    return isOnDisk() ? OptionalLong.of(file.get().size()) : OptionalLong.empty();
  }

  /**
   * Returns whether the target is a regular file. Other files cannot be made durable and would
   * report that as a failure.
   */
  private boolean isOnDisk() {
    return path.isPresent() && Files.isRegularFile(path.get());
  }

  /**
   * Announces that an earlier run may have written lines from this position on without recording
   * them. Lines that are already there are not written again until the next {@link #flush}.
   */
  void expectFrom(long place) throws IOException {
    forget();
    if (path.isPresent()) {
      before = Optional.of(new EarlierReports(path.get(), place));
    }
  }

  /** Closes the file that earlier reports are compared with. */
  private void forget() throws IOException {
    if (before.isPresent()) {
      before.get().close();
      before = Optional.empty();
    }
  }

  @Override
  public void close() throws IOException {
    forget();
    if (file.isPresent()) {
      file.get().close();
    }
  }

  /**
   * The reports that an earlier, interrupted run appended without recording them in its progress.
   */
  private static final class EarlierReports implements AutoCloseable {

    private final InputStream reports;
    private boolean over;

    EarlierReports(Path file, long place) throws IOException {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      this.reports = Channels.newInputStream(channel.position(place));
    }

    /**
     * Returns how many bytes of a line exist at the position where it would be appended.
     *
     * <p>That is all of them; some, if the machine stopped while they were written, in which case
     * the file ends there; or none. Unless it is all of them, later lines count as absent.
     */
    int known(byte[] line) throws IOException {
      if (over) {
        return 0;
      }
      byte[] there = reports.readNBytes(line.length);
      boolean isSame = Arrays.equals(there, Arrays.copyOf(line, there.length));
      over = !isSame || there.length < line.length;
      return isSame ? there.length : 0;
    }

    @Override
    public void close() throws IOException {
      reports.close();
    }
  }
}
