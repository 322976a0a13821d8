package io.tokenvault.server.imports;

import io.tokenvault.domain.failure.Violations;
import java.io.IOException;
import java.util.OptionalLong;

/** What becomes of lines in which something is wrong. */
public interface RejectedLineSink {

  /**
   * Takes what is wrong with a line; of what is in it, never more than names of members.
   *
   * @return whether to go on with the next line
   */
  boolean take(long line, Violations wrong) throws IOException;

  /** Makes durable what was taken, before it counts as done. */
  void flush() throws IOException;

  /** The place of what is taken next; empty if there is no way back to it. */
  OptionalLong end() throws IOException;

  /**
   * Says that an attempt may have told from this place on what is taken before the next {@link
   * #flush}, and could not note it any more. What stands there is not told again.
   */
  void expectFrom(long place) throws IOException;
}
