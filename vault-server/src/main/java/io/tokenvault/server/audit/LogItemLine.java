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
    JsonLine properties = new JsonLine();
    if (item instanceof LogItem.Drop drop) {
      write(drop.drop(), properties.with("kind", "drop"));
    } else if (item instanceof LogItem.Link link) {
      write(link, properties.with("kind", "seal"));
    } else if (item instanceof LogItem.Unchained unchained) {
      properties.with("kind", "entry").with("passed", JsonValue.of(unchained.passed()));
      write(
          unchained.entry(), properties.with("tenant_id", unchained.entry().tenantId().toString()));
    } else if (item instanceof LogItem.Copy copy) {
      properties.with("kind", "copy").with("tenant_id", copy.tenantId().toString());
      write(copy.place(), properties);
    }
    return properties.toString();
  }

  /** Writes the record of a dropped month, which replaces its entries. */
  private static void write(PartitionDrop drop, JsonLine properties) {
    properties
        .with("month", drop.month().toString())
        .with("count", drop.entries())
        .with("dropped_at", drop.droppedAt().toString())
        .with("mac", drop.mac());
  }

  /**
   * Writes a link of the hash chain with its entries. Of an entry that is missing, the place
   * remains.
   */
  private static void write(LogItem.Link link, JsonLine properties) {
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
    properties
        .with("tenant_id", chainLink.tenantId().toString())
        .with("number", chainLink.number())
        .with("head", chainLink.head().toString())
        .with("mac", chainLink.mac())
        .with("entries", entries);
  }

  /** Writes the place of an entry: its time and its number within that time. */
  private static void write(EntryPlace place, JsonLine properties) {
    properties.with("created_at", place.createdAt().toString()).with("sequence", place.sequence());
  }

  private static void write(StoredEntry entry, JsonLine properties) {
    write(entry.place(), properties);
    writeContent(entry, properties);
  }

  /**
   * Writes everything of an entry except its tenant and its place. The id and the MAC are absent
   * for entries of versions that did not write them.
   */
  static void writeContent(StoredEntry entry, JsonLine properties) {
    EntryContent content = entry.content();
    properties
        .with("actor_id", content.actorId().map(UUID::toString))
        .with("actor_type", content.actorType())
        .with("entity_type", content.entityType())
        .with("entity_id", content.entityId())
        .with("operation", content.operation())
        .with("message", content.message());
    content.traceId().ifPresent(id -> properties.with("trace_id", id));
    entry
        .mark()
        .ifPresent(
            mark -> properties.with("entry_id", mark.entryId().toString()).with("mac", mark.mac()));
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
  static LogItem read(JsonLine properties) {
    return switch (properties.text("kind")) {
      case "drop" -> new LogItem.Drop(drop(properties));
      case "seal" -> link(properties);
      case "entry" ->
          new LogItem.Unchained(entry(properties.tenant(), properties), properties.flag("passed"));
      case "copy" -> new LogItem.Copy(properties.tenant(), place(properties));
      default -> throw new IllegalArgumentException("no kind of line");
    };
  }

  private static PartitionDrop drop(JsonLine properties) {
    return new PartitionDrop(
        YearMonth.parse(properties.text("month")),
        properties.number("count"),
        properties.time("dropped_at"),
        properties.tag("mac"));
  }

  /** Reads a link; an entry without a message is one that was missing when the dump was written. */
  private static LogItem.Link link(JsonLine properties) {
    TenantId tenant = properties.tenant();
    List<EntryPlace> places = new ArrayList<>();
    List<Optional<StoredEntry>> entries = new ArrayList<>();
    for (JsonValue item : properties.items("entries")) {
      JsonLine entry = JsonLine.of(item);
      places.add(place(entry));
      entries.add(entry.has("message") ? Optional.of(entry(tenant, entry)) : Optional.empty());
    }
    ChainLink chainLink =
        new ChainLink(
            tenant,
            properties.number("number"),
            places,
            properties.hash("head"),
            properties.tag("mac"));
    return new LogItem.Link(chainLink, entries);
  }

  private static EntryPlace place(JsonLine properties) {
    return new EntryPlace(properties.time("created_at"), properties.number("sequence"));
  }

  private static StoredEntry entry(TenantId tenant, JsonLine properties) {
    EntryContent content =
        new EntryContent(
            tenant,
            properties.optionalText("actor_id").map(UUID::fromString),
            properties.optionalText("actor_type"),
            properties.text("entity_type"),
            properties.text("entity_id"),
            properties.text("operation"),
            properties.text("message"),
            properties.has("trace_id")
                ? Optional.of(properties.text("trace_id"))
                : Optional.empty());
    return new StoredEntry(place(properties), content, mark(properties));
  }

  /**
   * Reads the id and the MAC of an entry; empty for entries of versions that did not write them.
   */
  private static Optional<EntryMark> mark(JsonLine properties) {
    return properties.has("entry_id")
        ? Optional.of(new EntryMark(properties.uuid("entry_id"), properties.tag("mac")))
        : Optional.empty();
  }
}
