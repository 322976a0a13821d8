package io.tokenvault.server.imports;

/**
 * The counts of lines in one run of an import.
 *
 * @param skipped lines that an earlier run completed
 * @param imported lines that became tokens
 * @param duplicates lines that requested a token with identical content, where one existed
 * @param rejected lines that are not valid
 * @param finished whether all lines of the file are done
 */
public record ImportCount(
    long skipped, long imported, long duplicates, long rejected, boolean finished) {

  /** Returns the counts of a run that starts after some lines. */
  static ImportCount from(long skipped) {
    return new ImportCount(skipped, 0, 0, 0, true);
  }

  /**
   * Returns these counts with those of a batch added.
   *
   * @param created lines that became tokens
   * @param found duplicates
   * @param before lines that an earlier run had stored already
   * @param wrong rejected lines
   */
  ImportCount plus(long created, long found, long before, long wrong) {
    return new ImportCount(
        skipped + before, imported + created, duplicates + found, rejected + wrong, finished);
  }

  /** Returns these counts for a run that ends before the end of the file. */
  ImportCount stopped() {
    return new ImportCount(skipped, imported, duplicates, rejected, false);
  }

  /** Returns the number of lines that this run processed. */
  public long done() {
    return imported + duplicates + rejected;
  }
}
