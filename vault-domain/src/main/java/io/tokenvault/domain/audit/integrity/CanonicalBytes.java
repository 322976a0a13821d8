package io.tokenvault.domain.audit.integrity;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * Builds an unambiguous byte encoding. Every part of variable length is preceded by its length, and
 * every optional part by a presence byte. Strings are written as UTF-16 code units, so that even
 * malformed strings have distinct encodings.
 */
final class CanonicalBytes {

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
