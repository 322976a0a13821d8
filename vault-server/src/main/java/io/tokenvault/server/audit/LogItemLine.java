package io.tokenvault.server.audit;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.ChainLink;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogItem;
import io.tokenvault.server.json.JsonLine;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Formats an item of a dump as a line of JSON, and reads it.
 *
 * <p>The field {@code kind} is one of {@code drop}, a dropped partition; {@code seal}, a link of
 * the hash chain with its {@code entries}, where a missing entry has only its place; {@code entry},
 * an entry that is not linked yet; and {@code copy}. The last line has the kind {@code end} and the
 * number of all other lines, so that a dump that was cut off is recognized.
 */
public final class LogItemLine {

  private LogItemLine() {}

  /** Returns the line of an item, without a line feed. */
  public static String of(LogItem item) {
    JsonLine members = new JsonLine();
    if (item instanceof LogItem.Drop drop) {
      write(drop.drop(), members.with("kind", "drop"));
    } else if (item instanceof LogItem.Link link) {
      write(link, members.with("kind", "seal"));
    } else if (item instanceof LogItem.Unchained unchained) {
      members.with("kind", "entry").with("passed", JsonValue.of(unchained.passed()));
      write(unchained.entry(), members.with("tenant_id", unchained.entry().tenantId().toString()));
    } else if (item instanceof LogItem.Copy copy) {
      members.with("kind", "copy").with("tenant_id", copy.tenantId().toString());
      write(copy.place(), members);
    }
    return members.toString();
  }

  /** Writes the record of a dropped month, which replaces its entries. */
  private static void write(PartitionDrop drop, JsonLine members) {
    members
        .with("month", drop.month().toString())
        .with("count", drop.entries())
        .with("dropped_at", drop.droppedAt().toString())
        .with("mac", drop.mac());
  }

  /**
   * Writes a link of the hash chain with its entries. Of an entry that is missing, the place
   * remains.
   */
  private static void write(LogItem.Link link, JsonLine members) {
    ChainLink chainLink = link.chainLink();
    List<JsonValue> entries = new ArrayList<>();
    for (int i = 0; i < link.entries().size(); i++) {
      JsonLine entry = new JsonLine();
      EntryPlace place = chainLink.places().get(i);
      link.entries()
          .get(i)
          .ifPresentOrElse(there -> write(there, entry), () -> write(place, entry));
      entries.add(entry.json());
    }
    members
        .with("tenant_id", chainLink.tenantId().toString())
        .with("number", chainLink.number())
        .with("head", chainLink.head().toString())
        .with("mac", chainLink.mac())
        .with("entries", entries);
  }

  /** Writes the place of an entry: its time and its number within that time. */
  private static void write(EntryPlace place, JsonLine members) {
    members.with("created_at", place.createdAt().toString()).with("sequence", place.sequence());
  }

  private static void write(StoredEntry entry, JsonLine members) {
    write(entry.place(), members);
    writeContent(entry, members);
  }

  /**
   * Writes everything of an entry except its tenant and its place. The id and the MAC are absent
   * for entries of versions that did not write them.
   */
  static void writeContent(StoredEntry entry, JsonLine members) {
    EntryContent content = entry.content();
    members
        .with("actor_id", content.actorId().map(UUID::toString))
        .with("actor_type", content.actorType())
        .with("entity_type", content.entityType())
        .with("entity_id", content.entityId())
        .with("operation", content.operation())
        .with("message", content.message());
    content.traceId().ifPresent(id -> members.with("trace_id", id));
    entry
        .mark()
        .ifPresent(
            mark -> members.with("entry_id", mark.entryId().toString()).with("mac", mark.mac()));
  }

  /**
   * Returns the last line of a dump.
   *
   * @param items the number of lines before it
   */
  public static String end(long items) {
    return new JsonLine().with("kind", "end").with("items", items).toString();
  }

  /**
   * Returns the number of lines that an end line states; empty for any other line.
   *
   * @throws IllegalArgumentException if there is no kind, or the end line is malformed
   */
  static OptionalLong readEnd(JsonLine line) {
    return line.text("kind").equals("end")
        ? OptionalLong.of(line.number("items"))
        : OptionalLong.empty();
  }

  /**
   * Reads an item.
   *
   * @throws IllegalArgumentException if the line is not one that {@link #of} writes
   * @throws java.time.DateTimeException if a month is malformed
   */
  static LogItem read(JsonLine members) {
    return switch (members.text("kind")) {
      case "drop" -> new LogItem.Drop(drop(members));
      case "seal" -> link(members);
      case "entry" ->
          new LogItem.Unchained(entry(members.tenant(), members), members.flag("passed"));
      case "copy" -> new LogItem.Copy(members.tenant(), place(members));
      default -> throw new IllegalArgumentException("no kind of line");
    };
  }

  private static PartitionDrop drop(JsonLine members) {
    return new PartitionDrop(
        YearMonth.parse(members.text("month")),
        members.number("count"),
        members.time("dropped_at"),
        members.tag("mac"));
  }

  /** Reads a link; an entry without a message is one that was missing when the dump was written. */
  private static LogItem.Link link(JsonLine members) {
    TenantId tenant = members.tenant();
    List<EntryPlace> places = new ArrayList<>();
    List<Optional<StoredEntry>> entries = new ArrayList<>();
    for (JsonValue item : members.items("entries")) {
      JsonLine entry = JsonLine.of(item);
      places.add(place(entry));
      entries.add(entry.has("message") ? Optional.of(entry(tenant, entry)) : Optional.empty());
    }
    ChainLink chainLink =
        new ChainLink(
            tenant, members.number("number"), places, members.hash("head"), members.tag("mac"));
    return new LogItem.Link(chainLink, entries);
  }

  private static EntryPlace place(JsonLine members) {
    return new EntryPlace(members.time("created_at"), members.number("sequence"));
  }

  private static StoredEntry entry(TenantId tenant, JsonLine members) {
    EntryContent content =
        new EntryContent(
            tenant,
            members.optionalText("actor_id").map(UUID::fromString),
            members.optionalText("actor_type"),
            members.text("entity_type"),
            members.text("entity_id"),
            members.text("operation"),
            members.text("message"),
            members.has("trace_id") ? Optional.of(members.text("trace_id")) : Optional.empty());
    return new StoredEntry(place(members), content, mark(members));
  }

  /**
   * Reads the id and the MAC of an entry; empty for entries of versions that did not write them.
   */
  private static Optional<EntryMark> mark(JsonLine members) {
    return members.has("entry_id")
        ? Optional.of(new EntryMark(members.uuid("entry_id"), members.tag("mac")))
        : Optional.empty();
  }
}
