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
 * How far an import has come, in a file beside the one that is imported.
 *
 * @param lines how many lines are done
 * @param digest of those
 * @param told where {@link RejectedLineSink} went on then, if that is known
 */
record ImportProgress(
    TenantId tenantId, UUID run, UUID seed, long lines, String digest, OptionalLong told) {

  private static final String TOLD = "rejects_bytes";
  private static final JacksonJson JSON = new JacksonJson();

  /** One that begins. */
  static ImportProgress none(TenantId tenantId) {
    return new ImportProgress(
        tenantId, UUID.randomUUID(), UUID.randomUUID(), 0, "", OptionalLong.empty());
  }

  /** Whether it was read from a file. */
  boolean isNoted() {
    return !digest.isEmpty();
  }

  /**
   * @param end of what is told; empty if nothing is kept of that now
   */
  ImportProgress at(LineReader lines, OptionalLong end) {
    return new ImportProgress(
        tenantId, run, seed, lines.number(), lines.digest(), end.isPresent() ? end : told);
  }

  /** What was told up to an end may have been taken away since. */
  OptionalLong toldBefore(OptionalLong end) {
    return told.isPresent() && end.isPresent()
        ? OptionalLong.of(Math.min(told.getAsLong(), end.getAsLong()))
        : end;
  }

  /**
   * Empty if there is no such file.
   *
   * @throws RefusedImportException if it holds something else
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

  /** In the place of what was there, whole or not at all. */
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
