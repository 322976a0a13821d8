package io.tokenvault.engine.exchange;

import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.forward.OutgoingRequest.OutgoingBody;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The body of a request between two steps. It can be taken once; the code that takes it owns it.
 *
 * <p>A body is either streamed, and then neither read nor changed, or complete in memory. A
 * complete body may in addition be searched for expressions.
 */
public final class InvocationBody {

  private static final int CHUNK = 64 * 1024;

  private final Optional<TextualBody> kind;
  private final Optional<byte[]> buffered;
  private final Optional<OutgoingBody> content;
  private boolean taken;

  private InvocationBody(
      Optional<TextualBody> kind, Optional<byte[]> buffered, Optional<OutgoingBody> content) {
    this.kind = kind;
    this.buffered = buffered;
    this.content = content;
  }

  /** Returns the body of a request without one. */
  public static InvocationBody none() {
    return new InvocationBody(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Returns a body that is streamed without being buffered.
   *
   * @param length in bytes, if it is known
   */
  public static InvocationBody streamed(InputStream content, OptionalLong length) {
    return new InvocationBody(
        Optional.empty(), Optional.empty(), Optional.of(new OutgoingBody(content, length)));
  }

  /** Returns a buffered body that is sent as it is. */
  public static InvocationBody complete(byte[] bytes) {
    return new InvocationBody(Optional.empty(), Optional.of(bytes), Optional.of(outgoing(bytes)));
  }

  /** Returns a buffered body that is sent as it is, or none. */
  public static InvocationBody of(Optional<byte[]> bytes) {
    return bytes.map(InvocationBody::complete).orElseGet(InvocationBody::none);
  }

  /** Returns a buffered body that may contain expressions. */
  public static InvocationBody textual(byte[] bytes, TextualBody kind) {
    return new InvocationBody(Optional.of(kind), Optional.of(bytes), Optional.of(outgoing(bytes)));
  }

  /**
   * Reads a body into memory.
   *
   * @param announced length in bytes, if it is known, so that no larger buffer is created
   * @param limit in bytes
   * @param memory reservation that is charged for each chunk after it is read
   * @return one byte more than the limit if the body is longer; the rest is not read
   */
  public static byte[] read(
      InputStream content, OptionalLong announced, int limit, BodyMemoryBudget.Reservation memory)
      throws IOException {
    // One byte more than was announced, to meet the end.
    int first = (int) Math.min(next(limit, 0), Math.min(limit, announced.orElse(limit)) + 1);
    byte[] chunk = content.readNBytes(first);
    memory.hold(chunk.length);
    if (chunk.length < first) {
      return chunk;
    }
    // A growing array would take up to twice of what is reserved.
    List<byte[]> chunks = new ArrayList<>();
    long size = 0;
    while (chunk.length > 0) {
      chunks.add(chunk);
      size += chunk.length;
      chunk = content.readNBytes(next(limit, size));
      memory.hold(chunk.length);
    }
    ByteBuffer whole = ByteBuffer.allocate(Math.toIntExact(size));
    chunks.forEach(whole::put);
    return whole.array();
  }

  /** Returns the length of the next chunk of a body that may be one byte longer than the limit. */
  private static int next(int limit, long size) {
    return (int) Math.min(CHUNK, limit + 1L - size);
  }

  private static OutgoingBody outgoing(byte[] bytes) {
    return new OutgoingBody(new ByteArrayInputStream(bytes), OptionalLong.of(bytes.length));
  }

  /** Returns how the body is searched for expressions; empty if it is not to be searched. */
  public Optional<TextualBody> textualBody() {
    return kind;
  }

  /**
   * Takes the body to send; empty if the request has none.
   *
   * @throws IllegalStateException if it was taken before
   */
  public Optional<OutgoingBody> take() {
    requireNotTaken();
    return content;
  }

  /**
   * Takes the bytes of a complete body, without a copy.
   *
   * @throws IllegalStateException if it was taken before
   */
  public byte[] takeBytes() {
    requireNotTaken();
    return buffered.orElseThrow();
  }

  /** Takes the bytes of a complete body, without a copy; empty if the request has no body. */
  public Optional<byte[]> takeBytesIfAny() {
    return content.isEmpty() ? Optional.empty() : Optional.of(takeBytes());
  }

  /**
   * Returns the bytes of a complete body, taken or not, without a copy; empty for a streamed body.
   */
  Optional<byte[]> bytes() {
    return buffered;
  }

  /** Returns the whole content of a body of which nothing was sent yet. */
  InputStream fromTheBeginning() {
    return buffered
        .<InputStream>map(ByteArrayInputStream::new)
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
