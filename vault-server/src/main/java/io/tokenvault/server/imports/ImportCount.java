package io.tokenvault.server.imports;

/**
 * What became of a file's lines in this run of the command.
 *
 * @param skipped that were done before
 * @param imported that became tokens
 * @param duplicates that asked for a token of the same content, and there was one
 * @param rejected in which something is wrong
 * @param finished whether all lines are done
 */
public record ImportCount(
    long skipped, long imported, long duplicates, long rejected, boolean finished) {

  static ImportCount from(long skipped) {
    return new ImportCount(skipped, 0, 0, 0, true);
  }

  ImportCount plus(long created, long found, long before, long wrong) {
    return new ImportCount(
        skipped + before, imported + created, duplicates + found, rejected + wrong, finished);
  }

  ImportCount stopped() {
    return new ImportCount(skipped, imported, duplicates, rejected, false);
  }

  /** All lines that were looked at now. */
  public long done() {
    return imported + duplicates + rejected;
  }
}
