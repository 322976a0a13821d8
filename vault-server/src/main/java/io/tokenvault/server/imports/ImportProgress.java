package io.tokenvault.server.imports;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
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
 * @param told the size of the file of rejected lines at that time; empty if unknown
 */
record ImportProgress(
    TenantId tenantId, UUID run, UUID seed, long lines, String digest, OptionalLong told) {

  private static final String TOLD = "rejects_bytes";
  private static final JacksonJson JSON = new JacksonJson();

  /** Returns the progress of a new import. */
  static ImportProgress none(TenantId tenantId) {
    return new ImportProgress(
        tenantId, UUID.randomUUID(), UUID.randomUUID(), 0, "", OptionalLong.empty());
  }

  /** Returns whether the progress was read from a file. */
  boolean isNoted() {
    return !digest.isEmpty();
  }

  /**
   * Returns the progress after the lines that were read.
   *
   * @param end the size of the file of rejected lines; empty keeps the former one
   */
  ImportProgress at(LineReader lines, OptionalLong end) {
    return new ImportProgress(
        tenantId, run, seed, lines.number(), lines.digest(), end.isPresent() ? end : told);
  }

  /**
   * Returns the position from which rejected lines may have been written without being recorded
   * here. The file may have been truncated since, so it is at most the current end.
   */
  OptionalLong toldBefore(OptionalLong end) {
    return told.isPresent() && end.isPresent()
        ? OptionalLong.of(Math.min(told.getAsLong(), end.getAsLong()))
        : end;
  }

  /**
   * Reads the progress; empty if there is no such file.
   *
   * @throws RefusedImportException if the file has other content
   */
  static Optional<ImportProgress> read(Path file) throws IOException {
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    try {
      if (JSON.read(Files.readAllBytes(file)) instanceof JsonObject object) {
        return Optional.of(of(object.members()));
      }
    } catch (ValidationException | IllegalArgumentException damaged) {
      throw notOurs(file);
    }
    throw notOurs(file);
  }

  /** Reads the fields of the file; the position of rejected lines may be absent. */
  private static ImportProgress of(Map<String, JsonValue> members) {
    return new ImportProgress(
        new TenantId(UUID.fromString(text(members, "tenant_id"))),
        UUID.fromString(text(members, "run")),
        UUID.fromString(text(members, "seed")),
        number(members, "lines"),
        text(members, "sha256"),
        members.containsKey(TOLD) ? OptionalLong.of(number(members, TOLD)) : OptionalLong.empty());
  }

  private static String text(Map<String, JsonValue> members, String name) {
    if (members.get(name) instanceof JsonString text) {
      return text.value();
    }
    throw new IllegalArgumentException("no text");
  }

  private static long number(Map<String, JsonValue> members, String name) {
    if (members.get(name) instanceof JsonNumber number && !number.literal().startsWith("-")) {
      return Long.parseLong(number.literal());
    }
    throw new IllegalArgumentException("no number of lines or bytes");
  }

  private static RefusedImportException notOurs(Path file) {
    return new RefusedImportException(
        "The file " + file + " does not say how far an import has come; nothing was imported.");
  }

  /** Writes the progress, replacing the file atomically. */
  void write(Path file) throws IOException {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("tenant_id", JsonValue.of(tenantId.toString()));
    members.put("run", JsonValue.of(run.toString()));
    members.put("seed", JsonValue.of(seed.toString()));
    members.put("lines", JsonValue.of(lines));
    members.put("sha256", JsonValue.of(digest));
    told.ifPresent(place -> members.put(TOLD, JsonValue.of(place)));
    new OwnerOnlyFile(file).replace(JSON.write(new JsonObject(members)));
  }
}
