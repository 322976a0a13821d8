package io.tokenvault.adapters.http.response;

import io.tokenvault.ports.audit.LogPosition;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;

/**
 * A position in the audit log, in an opaque form that clients can put into a URL.
 *
 * <p>The form is the entry's time in microseconds and its sequence number, 8 bytes each, in
 * URL-safe Base64.
 *
 * @param position the position to continue from; empty to start with the newest entry
 */
public record LogCursor(Optional<LogPosition> position) {

  private static final int SIZE = 2 * Long.BYTES;
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  public static LogCursor of(LogPosition position) {
    return new LogCursor(Optional.of(position));
  }

  /**
   * Parses a cursor. An empty text starts with the newest entry.
   *
   * @return empty if the text is not a cursor
   */
  public static Optional<LogCursor> read(String text) {
    if (text.isEmpty()) {
      return Optional.of(new LogCursor(Optional.empty()));
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      return bytes.length == SIZE ? read(ByteBuffer.wrap(bytes)) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** Reads a position; empty for a time that no entry can have and the database may not support. */
  private static Optional<LogCursor> read(ByteBuffer bytes) {
    Instant time = Instant.EPOCH.plus(bytes.getLong(), ChronoUnit.MICROS);
    return time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)
        ? Optional.empty()
        : Optional.of(of(new LogPosition(time, bytes.getLong())));
  }

  /** Returns the text of a cursor, which must have a position. */
  String text() {
    LogPosition place = position.orElseThrow();
    ByteBuffer bytes = ByteBuffer.allocate(SIZE);
    bytes.putLong(ChronoUnit.MICROS.between(Instant.EPOCH, place.createdAt()));
    bytes.putLong(place.sequence());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }
}
