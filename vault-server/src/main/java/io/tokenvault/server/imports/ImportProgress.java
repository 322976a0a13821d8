package io.tokenvault.server.imports;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.config.OperatorException;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.json.JsonLine;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The progress of an import, stored in a file beside the imported one.
 *
 * @param tenantId the tenant that owns the tokens
 * @param run identifies the import over all its runs
 * @param seed derives the ids of tokens whose line has none, so that a repeated line gets its
 *     former id
 * @param lines the number of completed lines
 * @param digest the SHA-256 of those lines, to recognize a changed file
 * @param rejectsEnd the size of the file of rejected lines at that time; empty if unknown
 */
record ImportProgress(
    TenantId tenantId, UUID run, UUID seed, long lines, String digest, OptionalLong rejectsEnd) {

  private static final String REJECTS_END = "rejects_bytes";

  /** Returns the progress of a new import. */
  static ImportProgress none(TenantId tenantId) {
    return new ImportProgress(
        tenantId, UUID.randomUUID(), UUID.randomUUID(), 0, "", OptionalLong.empty());
  }

  /** Returns whether the progress was read from a file. */
  boolean isStored() {
    return !digest.isEmpty();
  }

  /**
   * Returns the progress after the lines that were read.
   *
   * @param end the size of the file of rejected lines; empty keeps the former one
   */
  ImportProgress at(LineReader lines, OptionalLong end) {
    return new ImportProgress(
        tenantId, run, seed, lines.number(), lines.digest(), end.isPresent() ? end : rejectsEnd);
  }

  /**
   * Returns the position from which rejected lines may have been written without being recorded
   * here. The file may have been truncated since, so it is at most the current end.
   */
  OptionalLong reportedBefore(OptionalLong end) {
    return rejectsEnd.isPresent() && end.isPresent()
        ? OptionalLong.of(Math.min(rejectsEnd.getAsLong(), end.getAsLong()))
        : end;
  }

  /**
   * Reads the progress; empty if there is no such file.
   *
   * @throws OperatorException if the file has other content
   */
  static Optional<ImportProgress> read(Path file) throws IOException {
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(of(JsonLine.ofLine(Files.readString(file))));
    } catch (IllegalArgumentException | CharacterCodingException damaged) {
      throw new OperatorException(
          "The file " + file + " is not a progress file of an import; nothing was imported.");
    }
  }

  /** Reads the fields of the file; the position of rejected lines may be absent. */
  private static ImportProgress of(JsonLine line) {
    return new ImportProgress(
        line.tenant(),
        line.uuid("run"),
        line.uuid("seed"),
        count(line, "lines"),
        line.text("sha256"),
        line.has(REJECTS_END) ? OptionalLong.of(count(line, REJECTS_END)) : OptionalLong.empty());
  }

  private static long count(JsonLine line, String name) {
    long count = line.number(name);
    if (count < 0) {
      throw new IllegalArgumentException("a negative number of lines or bytes");
    }
    return count;
  }

  /** Writes the progress, replacing the file atomically. */
  void write(Path file) throws IOException {
    JsonLine line =
        new JsonLine()
            .with("tenant_id", tenantId.toString())
            .with("run", run.toString())
            .with("seed", seed.toString())
            .with("lines", lines)
            .with("sha256", digest);
    rejectsEnd.ifPresent(place -> line.with(REJECTS_END, place));
    new OwnerOnlyFile(file).replace(line.toString().getBytes(StandardCharsets.UTF_8));
  }
}
