package io.tokenvault.server.imports;

import io.tokenvault.domain.failure.Violations;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Receives the lines of an import that are not valid.
 *
 * <p>After a failure an import repeats the last batch. The methods {@link #end} and {@link
 * #expectFrom} let it recognize lines that the sink received before.
 */
public interface RejectedLineSink {

  /**
   * Receives the errors of a line. They contain field names but never values.
   *
   * @param line the number of the line, from 1
   * @return whether to continue with the next line
   */
  boolean take(long line, Violations wrong) throws IOException;

  /** Makes the received lines durable. It is called before they count as completed. */
  void flush() throws IOException;

  /** Returns the position of the next line; empty if the sink does not support positions. */
  OptionalLong end() throws IOException;

  /**
   * Announces that an earlier run may have written lines from this position on without recording
   * them. Lines that are already there are not written again until the next {@link #flush}.
   */
  void expectFrom(long place) throws IOException;
}
