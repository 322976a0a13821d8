package io.tokenvault.server.imports;

import io.tokenvault.adapters.http.resource.TokenRoutes;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.domain.token.TokenDraft;
import io.tokenvault.ports.usecase.token.ImportTokens;
import io.tokenvault.ports.usecase.token.ImportTokens.ImportLine;
import io.tokenvault.ports.usecase.token.ImportTokens.ImportRun;
import io.tokenvault.ports.usecase.token.ImportTokens.Stored;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Imports a file of tokens with one JSON object per line.
 *
 * <p>Lines are stored in transactions of up to 500 lines or about 8 MiB. After each of them the
 * progress is written to a file. An import that was interrupted continues from there, and
 * recognizes lines that were stored after the progress was last written. Use an instance for one
 * file.
 */
public final class TokenFileImport {

  private static final int BATCH = 500;

  /** Limit on the size of a batch; while it is stored, its lines are in memory several times. */
  private static final int BATCH_BYTES = 8 << 20;

  private static final String TOO_LONG = "is longer than " + LineReader.MAX_LINE_BYTES + " bytes";
  private static final JacksonJson JSON = new JacksonJson();

  private final ImportTokens imports;
  private final RejectedLines rejects;
  private final Consumer<Count> watcher;
  private final List<ImportLine> batch = new ArrayList<>();
  private long batchBytes;
  private Count count = Count.from(0);

  /**
   * Creates an import.
   *
   * @param rejects receives lines that are not valid
   * @param watcher receives the counts after each transaction
   */
  public TokenFileImport(ImportTokens imports, RejectedLines rejects, Consumer<Count> watcher) {
    this.imports = imports;
    this.rejects = rejects;
    this.watcher = watcher;
  }

  /**
   * Validates all lines and stores nothing.
   *
   * @param now the current time by the clock of the database
   */
  public Count check(Path file, TenantId tenant, Instant now) throws IOException {
    ImportRun run = run(ImportProgress.none(tenant), now);
    try (LineReader lines = new LineReader(file)) {
      for (Optional<byte[]> text = lines.next(); text.isPresent(); text = lines.next()) {
        if (!take(run, lines, text.get())) {
          return count.stopped();
        }
        count = count.plus(batch.size(), 0, 0, 0);
        clear();
      }
    }
    rejects.flush();
    return count;
  }

  /**
   * Imports the lines that are not imported yet.
   *
   * @param state the file of the progress; created if it does not exist
   * @param now the current time by the clock of the database
   * @throws OperatorException if the progress belongs to another file or tenant
   */
  public Count run(Path file, TenantId tenant, Path state, Instant now) throws IOException {
    ImportProgress progress =
        ImportProgress.read(state).orElseGet(() -> ImportProgress.none(tenant));
    if (!progress.tenantId().equals(tenant)) {
      throw new OperatorException(
          "The import of this file was started for another tenant, according to " + state + ".");
    }
    try (LineReader lines = new LineReader(file)) {
      skip(lines, progress, state);
      progress.at(lines).write(state);
      return run(lines, progress, state, now);
    }
  }

  /** Imports batch after batch until the end of the file or a line that stops the import. */
  private Count run(LineReader lines, ImportProgress progress, Path state, Instant now)
      throws IOException {
    ImportRun run = run(progress, now);
    // An earlier run may have ended after a transaction and before its progress was written. That
    // affects one batch only.
    boolean again = progress.isStored();
    while (true) {
      boolean allValid = fill(run, lines);
      boolean ended = !isFull();
      if (!store(run, again) || !allValid) {
        return count.stopped();
      }
      again = false;
      progress.at(lines).write(state);
      watcher.accept(count);
      if (ended) {
        return count;
      }
    }
  }

  /** Returns whether the batch is complete, by lines or by bytes. */
  private boolean isFull() {
    return batch.size() == BATCH || batchBytes >= BATCH_BYTES;
  }

  /** Fills a batch. Returns false if a line is not valid and the import must stop there. */
  private boolean fill(ImportRun run, LineReader lines) throws IOException {
    while (!isFull()) {
      Optional<byte[]> text = lines.next();
      if (text.isEmpty()) {
        return true;
      }
      if (!take(run, lines, text.get())) {
        return false;
      }
    }
    return true;
  }

  /** Adds a line to the batch or rejects it. Returns whether to continue. */
  private boolean take(ImportRun run, LineReader lines, byte[] text) throws IOException {
    if (lines.isTooLong()) {
      return reject(lines.number(), new Violations().add(Violations.WHOLE_REQUEST, TOO_LONG));
    }
    if (isBlank(text)) {
      return true;
    }
    Violations wrong = new Violations();
    Optional<ImportLine> line = check(run, lines.number(), text, wrong);
    if (line.isPresent()) {
      batch.add(line.get());
      batchBytes += text.length;
    }
    return line.isPresent() || reject(lines.number(), wrong);
  }

  /** Returns whether a line is blank; blank lines are skipped. */
  private static boolean isBlank(byte[] text) {
    for (byte each : text) {
      if (each != ' ' && each != '\r' && each != '\t') {
        return false;
      }
    }
    return true;
  }

  /** Validates a line; empty if it is not valid, with the reasons in {@code wrong}. */
  private Optional<ImportLine> check(ImportRun run, long number, byte[] text, Violations wrong) {
    try {
      TokenDraft draft = TokenRoutes.readExported(JsonFields.of(JSON.read(text), wrong));
      return imports.check(run, number, draft, wrong);
    } catch (ValidationException malformed) {
      malformed.errors().forEach((path, each) -> each.forEach(message -> wrong.add(path, message)));
      return Optional.empty();
    }
  }

  /** Counts and reports a line that is not valid. Returns whether to continue. */
  private boolean reject(long number, Violations wrong) throws IOException {
    count = count.plus(0, 0, 0, 1);
    return rejects.take(number, wrong);
  }

  /**
   * Stores the batch in one transaction and rejects lines whose id is taken. Returns whether to
   * continue.
   */
  private boolean store(ImportRun run, boolean again) throws IOException {
    Stored stored = imports.store(run, batch, again);
    clear();
    count = count.plus(stored.created(), stored.duplicates(), stored.before(), 0);
    boolean goOn = true;
    for (long line : stored.taken()) {
      goOn &= reject(line, new Violations().add("id", "is the id of another token"));
    }
    rejects.flush();
    return goOn;
  }

  private void clear() {
    batch.clear();
    batchBytes = 0;
  }

  /**
   * Returns the context of this run, with the id and the seed that all runs of the import share.
   */
  private static ImportRun run(ImportProgress progress, Instant now) {
    return new ImportRun(progress.tenantId(), progress.run(), progress.seed(), now);
  }

  /**
   * Skips the completed lines, after checking that they are identical to those that were imported.
   */
  private void skip(LineReader lines, ImportProgress progress, Path state) throws IOException {
    boolean more = true;
    while (more && lines.number() < progress.lines()) {
      more = lines.next().isPresent();
    }
    if (progress.lines() > 0 && !lines.digest().equals(progress.digest())) {
      throw new OperatorException(
          ("The first %s lines of the file differ from those that %s records as imported; nothing"
                  + " was imported.")
              .formatted(progress.lines(), state));
    }
    count = Count.from(lines.number());
  }

  /**
   * The counts of lines in one run of an import.
   *
   * @param skipped lines that an earlier run completed
   * @param imported lines that became tokens
   * @param duplicates lines that requested a token with identical content, where one existed
   * @param rejected lines that are not valid
   * @param finished whether all lines of the file are done
   */
  public record Count(
      long skipped, long imported, long duplicates, long rejected, boolean finished) {

    /** Returns the counts of a run that starts after some lines. */
    static Count from(long skipped) {
      return new Count(skipped, 0, 0, 0, true);
    }

    /**
     * Returns these counts with those of a batch added.
     *
     * @param created lines that became tokens
     * @param found duplicates
     * @param before lines that an earlier run had stored already
     * @param wrong rejected lines
     */
    Count plus(long created, long found, long before, long wrong) {
      return new Count(
          skipped + before, imported + created, duplicates + found, rejected + wrong, finished);
    }

    /** Returns these counts for a run that ends before the end of the file. */
    Count stopped() {
      return new Count(skipped, imported, duplicates, rejected, false);
    }

    /** Returns the number of lines that this run processed. */
    public long done() {
      return imported + duplicates + rejected;
    }
  }
}
