package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A multipart body with slots in some of its parts; all else goes byte for byte. */
final class MultipartTemplate implements BodyTemplate {

  /** The content of a part. */
  record Slot(int start, int end, BodyTemplate template) {}

  private final byte[] body;
  private final String boundary;
  private final List<Slot> slots;

  MultipartTemplate(byte[] body, String boundary, List<Slot> slots) {
    this.body = body;
    this.boundary = boundary;
    this.slots = List.copyOf(slots);
  }

  @Override
  public Set<String> tokenIds() {
    Set<String> ids = new LinkedHashSet<>();
    slots.forEach(slot -> ids.addAll(slot.template().tokenIds()));
    return ids;
  }

  @Override
  public byte[] fill(TokenValues values) {
    ByteArrayOutputStream filled = new ByteArrayOutputStream(body.length);
    int done = 0;
    for (Slot slot : slots) {
      filled.write(body, done, slot.start() - done);
      filled.writeBytes(content(slot, values));
      done = slot.end();
    }
    filled.write(body, done, body.length - done);
    return filled.toByteArray();
  }

  /** Not only where a delimiter can stand: readers differ on that. */
  private byte[] content(Slot slot, TokenValues values) {
    byte[] content = slot.template().fill(values);
    String after = new String(content, StandardCharsets.ISO_8859_1);
    String before =
        new String(body, slot.start(), slot.end() - slot.start(), StandardCharsets.ISO_8859_1);
    if (after.contains("--" + boundary) || count(after) > count(before)) {
      throw ValidationException.of(
          "error", "With the data of a token the body would hold one more boundary.");
    }
    return content;
  }

  private int count(String text) {
    int count = 0;
    for (int at = text.indexOf(boundary); at >= 0; at = text.indexOf(boundary, at + 1)) {
      count++;
    }
    return count;
  }
}
