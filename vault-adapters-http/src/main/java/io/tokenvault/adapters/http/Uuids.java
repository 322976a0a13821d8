package io.tokenvault.adapters.http;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** UUIDs in requests, in their full form only. */
final class Uuids {

  private static final Pattern SHAPE =
      Pattern.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

  private Uuids() {}

  static Optional<UUID> read(String text) {
    return SHAPE.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
  }
}
