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
 */
record ImportProgress(TenantId tenantId, UUID run, UUID seed, long lines, String digest) {

  /** Returns the progress of a new import. */
  static ImportProgress none(TenantId tenantId) {
    return new ImportProgress(tenantId, UUID.randomUUID(), UUID.randomUUID(), 0, "");
  }

  /** Returns whether the progress was read from a file. */
  boolean isStored() {
    return !digest.isEmpty();
  }

  /** Returns the progress after the lines that were read. */
  ImportProgress at(LineReader read) {
    return new ImportProgress(tenantId, run, seed, read.number(), read.digest());
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

  private static ImportProgress of(JsonLine line) {
    long lines = line.number("lines");
    if (lines < 0) {
      throw new IllegalArgumentException("a negative number of lines");
    }
    return new ImportProgress(
        line.tenant(), line.uuid("run"), line.uuid("seed"), lines, line.text("sha256"));
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
    new OwnerOnlyFile(file).replace(line.toString().getBytes(StandardCharsets.UTF_8));
  }
}
