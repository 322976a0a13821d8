package io.tokenvault.domain.audit.integrity;

import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.tenant.TenantId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Defines the bytes over which MACs and hashes of the log are computed. No two different values
 * have equal bytes.
 *
 * <p>Stored MACs and hashes depend on every byte: a change needs a new version in addition to the
 * old one.
 */
public final class LogEncoding {

  private static final String ENTRY = "token-vault log entry v1";
  private static final String ROW = "token-vault log row v1";
  private static final String CHAIN_LINK = "token-vault log seal v1";
  private static final String DROP = "token-vault log drop v1";

  private static final String CHECKPOINT = "token-vault log checkpoint v1";

  private LogEncoding() {}

  /**
   * Returns the bytes for an entry's MAC. A trace id is at the end, so that the bytes of an entry
   * without one are those of versions that wrote none.
   */
  public static byte[] entry(UUID entryId, EntryContent content) {
    CanonicalBytes out = CanonicalBytes.of(ENTRY).uuid(entryId);
    write(content, out);
    content.traceId().ifPresent(out::text);
    return out.toArray();
  }

  /**
   * Returns the bytes for a stored entry including its MAC, which covers the trace id: nodes that
   * do not know of trace ids can link entries that have one.
   */
  static byte[] row(StoredEntry entry) {
    CanonicalBytes out = CanonicalBytes.of(ROW).place(entry.place()).presence(entry.mark());
    entry.mark().ifPresent(mark -> out.uuid(mark.entryId()).tag(mark.mac()));
    write(entry.content(), out);
    return out.toArray();
  }

  private static void write(EntryContent content, CanonicalBytes out) {
    out.uuid(content.tenantId().value()).presence(content.actorId());
    content.actorId().ifPresent(out::uuid);
    out.presence(content.actorType());
    content.actorType().ifPresent(out::text);
    out.text(content.entityType())
        .text(content.entityId())
        .text(content.operation())
        .text(content.message());
  }

  /** Returns the bytes for a chain link's MAC. */
  public static byte[] chainLink(
      TenantId tenantId, long number, List<EntryPlace> places, LogHash head) {
    CanonicalBytes out =
        CanonicalBytes.of(CHAIN_LINK).uuid(tenantId.value()).number(number).number(places.size());
    places.forEach(out::place);
    return out.bytes(head.bytes()).toArray();
  }

  /** Returns the bytes for the MAC of a dropped month. */
  public static byte[] drop(YearMonth month, long entries, Instant droppedAt) {
    return CanonicalBytes.of(DROP)
        .number(month.getYear())
        .number(month.getMonthValue())
        .number(entries)
        .time(droppedAt)
        .toArray();
  }

  /** Returns the bytes for a checkpoint's signature. */
  public static byte[] checkpoint(
      UUID writer, long number, Instant time, LogHash previous, int tenants, List<ChainEnd> ends) {
    CanonicalBytes out =
        CanonicalBytes.of(CHECKPOINT)
            .uuid(writer)
            .number(number)
            .time(time)
            .bytes(previous.bytes())
            .number(tenants)
            .number(ends.size());
    for (ChainEnd end : ends) {
      out.uuid(end.tenantId().value()).number(end.number()).bytes(end.head().bytes());
    }
    return out.toArray();
  }

  /**
   * Builds an unambiguous byte encoding. Every part of variable length is preceded by its length,
   * and every optional part by a presence byte. Strings are written as UTF-16 code units, so that
   * even malformed strings have distinct encodings.
   */
  static final class CanonicalBytes {

    private static final int FIRST_CAPACITY = 512;

    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_CAPACITY);

    private CanonicalBytes() {}

    /** Begins an encoding with a label that names the content and the version of its format. */
    static CanonicalBytes of(String label) {
      return new CanonicalBytes().text(label);
    }

    CanonicalBytes number(int number) {
      ensureCapacity(Integer.BYTES).putInt(number);
      return this;
    }

    CanonicalBytes number(long number) {
      ensureCapacity(Long.BYTES).putLong(number);
      return this;
    }

    CanonicalBytes text(String text) {
      int length = text.length();
      ByteBuffer out = ensureCapacity(Integer.BYTES + length * Character.BYTES).putInt(length);
      for (int i = 0; i < length; i++) {
        out.putChar(text.charAt(i));
      }
      return this;
    }

    CanonicalBytes bytes(byte[] bytes) {
      ensureCapacity(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes);
      return this;
    }

    CanonicalBytes uuid(UUID uuid) {
      return number(uuid.getMostSignificantBits()).number(uuid.getLeastSignificantBits());
    }

    CanonicalBytes time(Instant time) {
      return number(time.getEpochSecond()).number(time.getNano());
    }

    CanonicalBytes place(EntryPlace place) {
      return time(place.createdAt()).number(place.sequence());
    }

    CanonicalBytes tag(LogTag tag) {
      return number(tag.keyId()).bytes(tag.bytes());
    }

    CanonicalBytes presence(Optional<?> value) {
      ensureCapacity(1).put((byte) (value.isPresent() ? 1 : 0));
      return this;
    }

    private ByteBuffer ensureCapacity(int bytes) {
      if (buffer.remaining() < bytes) {
        int needed = Math.addExact(buffer.position(), bytes);
        buffer =
            ByteBuffer.allocate(Math.max(needed, Math.multiplyExact(2, buffer.capacity())))
                .put(buffer.flip());
      }
      return buffer;
    }

    byte[] toArray() {
      return Arrays.copyOf(buffer.array(), buffer.position());
    }
  }
}
