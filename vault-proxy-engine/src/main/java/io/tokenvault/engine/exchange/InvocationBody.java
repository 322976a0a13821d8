package io.tokenvault.engine.exchange;

import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.forward.OutgoingBody;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalLong;

/** The body of a request on its way through the steps. Whoever takes it owns it. */
public final class InvocationBody {

  private static final int CHUNK = 64 * 1024;

  private final Optional<TextualBody> kind;
  private final Optional<byte[]> held;
  private final Optional<OutgoingBody> content;
  private boolean taken;

  private InvocationBody(
      Optional<TextualBody> kind, Optional<byte[]> held, Optional<OutgoingBody> content) {
    this.kind = kind;
    this.held = held;
    this.content = content;
  }

  public static InvocationBody none() {
    return new InvocationBody(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Passes by without being looked at. */
  public static InvocationBody passing(InputStream content, OptionalLong length) {
    return new InvocationBody(
        Optional.empty(), Optional.empty(), Optional.of(new OutgoingBody(content, length)));
  }

  /** Is complete and goes on as it is. */
  public static InvocationBody complete(byte[] bytes) {
    return new InvocationBody(Optional.empty(), Optional.of(bytes), Optional.of(outgoing(bytes)));
  }

  /** Is complete and may hold expressions. */
  public static InvocationBody held(byte[] bytes, TextualBody kind) {
    return new InvocationBody(Optional.of(kind), Optional.of(bytes), Optional.of(outgoing(bytes)));
  }

  /**
   * Reads bytes that are to be held.
   *
   * @param limit in bytes
   * @param memory is asked for what comes
   * @return one byte more than the limit if there are more; what follows is not read
   */
  public static byte[] read(InputStream content, int limit, BodyMemoryBudget.Reservation memory)
      throws IOException {
    int first = Math.min(CHUNK, limit + 1);
    byte[] chunk = content.readNBytes(first);
    memory.hold(chunk.length);
    if (chunk.length < first) {
      return chunk;
    }
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    while (chunk.length > 0) {
      read.writeBytes(chunk);
      chunk = content.readNBytes(Math.min(CHUNK, limit + 1 - read.size()));
      memory.hold(chunk.length);
    }
    return read.toByteArray();
  }

  private static OutgoingBody outgoing(byte[] bytes) {
    return new OutgoingBody(new ByteArrayInputStream(bytes), OptionalLong.of(bytes.length));
  }

  /** How to read the body for expressions; empty if it has none or was not held. */
  public Optional<TextualBody> held() {
    return kind;
  }

  /** Empty if the request has no body. */
  public Optional<OutgoingBody> take() {
    requireNotTaken();
    return content;
  }

  /** The bytes of a body that is complete; they are not copied. */
  public byte[] takeBytes() {
    requireNotTaken();
    return held.orElseThrow();
  }

  /** The same; empty if the request has no body. */
  public Optional<byte[]> takeBytesIfAny() {
    return content.isEmpty() ? Optional.empty() : Optional.of(takeBytes());
  }

  /** All of it, if it is complete, taken or not; not copied. */
  Optional<byte[]> bytes() {
    return held;
  }

  /** All of it, from the beginning: of a body of which nothing was sent yet. */
  InputStream fromTheBeginning() {
    return held.<InputStream>map(ByteArrayInputStream::new)
        .or(() -> content.map(OutgoingBody::content))
        .orElseGet(InputStream::nullInputStream);
  }

  private void requireNotTaken() {
    if (taken) {
      throw new IllegalStateException("the body is already taken");
    }
    taken = true;
  }
}
