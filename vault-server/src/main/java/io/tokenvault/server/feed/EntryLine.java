package io.tokenvault.server.feed;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.server.json.JacksonJson;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Formats an audit entry as one line of JSON.
 *
 * <p>The field {@code log} is {@code "audit"}; {@code position} is where an export or stream
 * continues after this entry. Times have microseconds and are in UTC.
 */
final class EntryLine {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private EntryLine() {}

  /** Returns the line of an entry in UTF-8, without a line feed. */
  static byte[] of(FeedEntry fed) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("log", JsonValue.of("audit"));
    members.put("position", JsonValue.of(fed.position().toString()));
    members.put("seal", JsonValue.of(fed.seal()));
    write(fed.entry(), members);
    return new JacksonJson().write(new JsonObject(members));
  }

  private static void write(StoredEntry entry, Map<String, JsonValue> members) {
    EntryContent content = entry.content();
    members.put("tenant_id", JsonValue.of(content.tenantId().toString()));
    members.put("created_at", JsonValue.of(TIME.format(entry.place().createdAt())));
    members.put("sequence", JsonValue.of(entry.place().sequence()));
    members.put("actor_id", text(content.actorId().map(UUID::toString)));
    members.put("actor_type", text(content.actorType()));
    members.put("entity_type", JsonValue.of(content.entityType()));
    members.put("entity_id", JsonValue.of(content.entityId()));
    members.put("operation", JsonValue.of(content.operation()));
    members.put("message", JsonValue.of(content.message()));
    entry.mark().ifPresent(mark -> write(mark, members));
  }

  /** Adds the id and the MAC of an entry. The key id is unsigned, as in the keyset file. */
  private static void write(EntryMark mark, Map<String, JsonValue> members) {
    members.put("entry_id", JsonValue.of(mark.entryId().toString()));
    members.put("mac", JsonValue.of(Base64.getEncoder().encodeToString(mark.mac().bytes())));
    members.put("mac_key", JsonValue.of(Integer.toUnsignedLong(mark.mac().keyId())));
  }

  private static JsonValue text(Optional<String> text) {
    return text.map(JsonValue::of).orElse(JsonNull.NULL);
  }
}
