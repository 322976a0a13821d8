package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.IdempotencyKey;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.Idempotency;
import io.tokenvault.engine.exchange.InvocationBody;
import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.expression.TextualBody.ByteScanner;
import io.tokenvault.engine.forward.OutgoingRequest.BodyRefusedException;
import io.tokenvault.ports.api.ProxyCall;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.SequenceInputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Buffers bodies that may contain expressions, up to a limit. A longer body is streamed and
 * scanned: the request fails as soon as an expression appears in it. All other bodies are streamed.
 *
 * <p>A body that a transform receives, or that has an idempotency key, is buffered whole, whatever
 * its type.
 */
public final class BufferBody implements Consumer<Exchange> {

  private final int limit;
  private final int wholeLimit;
  private final ServiceHeaders names;

  /**
   * Creates the step.
   *
   * @param limit in bytes, of a body that may contain expressions; longer ones are streamed
   * @param wholeLimit in bytes, of a body that must be buffered whole; longer ones are refused
   */
  public BufferBody(int limit, int wholeLimit, ServiceHeaders names) {
    this.limit = limit;
    this.wholeLimit = wholeLimit;
    this.names = names;
  }

  @Override
  public void accept(Exchange exchange) {
    Optional<IdempotencyKey> key = Idempotency.readKey(exchange, names);
    exchange.setDetokenized(
        !isSwitchedOff(exchange.call().headers()) && exchange.invoked().mayUseTokens());
    try {
      exchange.setBody(body(exchange));
    } catch (IOException brokenOff) {
      throw ValidationException.of("error", "The request's body ended early.");
    }
    key.ifPresent(each -> exchange.setIdempotency(Idempotency.of(each, exchange, names)));
  }

  /** Returns whether the caller has switched the replacement of expressions off. */
  private boolean isSwitchedOff(List<HeaderField> headers) {
    boolean off = false;
    String name = names.detokenize();
    for (HeaderField field : headers) {
      if (field.is(name)) {
        boolean isOff = field.value().equalsIgnoreCase("off");
        if (!isOff && !field.value().equalsIgnoreCase("on")) {
          throw ValidationException.of("error", "The header " + name + " must be on or off.");
        }
        off |= isOff;
      }
    }
    return off;
  }

  /**
   * Returns how a body with these headers is searched for expressions; empty if it is not searched,
   * because it is compressed or of another type.
   */
  private static Optional<TextualBody> textual(List<HeaderField> fields) {
    for (HeaderField field : fields) {
      if (field.is("Content-Encoding")) {
        String coding = field.value().strip();
        if (!coding.isEmpty() && !coding.equalsIgnoreCase("identity")) {
          return Optional.empty();
        }
      }
    }
    return contentType(fields).flatMap(TextualBody::of);
  }

  /**
   * Returns the content type. Two are refused: the destination might use the other one, and token
   * data escaped for one type could have a different meaning in the other.
   */
  private static Optional<String> contentType(List<HeaderField> fields) {
    String type = null;
    for (HeaderField field : fields) {
      if (field.is("Content-Type")) {
        if (type != null) {
          throw ValidationException.of(
              "error", "The request has more than one Content-Type; send one.");
        }
        type = field.value();
      }
    }
    return Optional.ofNullable(type);
  }

  /** Chooses between buffering and streaming. */
  private InvocationBody body(Exchange exchange) throws IOException {
    ProxyCall call = exchange.call();
    Optional<TextualBody> kind =
        exchange.isDetokenized() ? textual(call.headers()) : Optional.empty();
    PushbackInputStream content = new PushbackInputStream(call.body());
    if (isEmpty(call.bodyLength(), content)) {
      return call.bodyLength().isPresent() && !BodyRules.isBodyless(call.method())
          ? InvocationBody.complete(new byte[0])
          : InvocationBody.none();
    }
    if (BodyRules.isBodyless(call.method())) {
      throw ValidationException.of("error", "GET and HEAD are forwarded only without a body.");
    }
    if (exchange.invoked().transform(TransformKind.REQUEST).isPresent()
        || !exchange.idempotencyKeys().isEmpty()) {
      return bufferWhole(exchange, content, kind);
    }
    return kind.isPresent()
        ? bufferTextual(exchange, content, kind.get())
        : InvocationBody.streamed(content, call.bodyLength());
  }

  /**
   * Reads the body, or reuses the bytes that an earlier run of this exchange has read.
   *
   * @return one byte more than the limit if the body is longer
   */
  private static byte[] read(Exchange exchange, InputStream content, int limit) throws IOException {
    Optional<byte[]> before = exchange.bodyReadBefore().filter(bytes -> bytes.length <= limit);
    return before.isPresent()
        ? before.get()
        : InvocationBody.read(content, exchange.call().bodyLength(), limit, exchange.memory());
  }

  /** Returns whether the body is empty, reading its first byte if its length is not announced. */
  private static boolean isEmpty(OptionalLong length, PushbackInputStream content)
      throws IOException {
    if (length.isPresent()) {
      return length.getAsLong() == 0;
    }
    int first = content.read();
    if (first >= 0) {
      content.unread(first);
    }
    return first < 0;
  }

  private InvocationBody bufferWhole(
      Exchange exchange, InputStream content, Optional<TextualBody> kind) throws IOException {
    byte[] bytes = read(exchange, content, wholeLimit);
    if (bytes.length > wholeLimit) {
      throw new RefusedException(
          FailureCause.BODY_TOO_LARGE,
          exchange.idempotencyKeys().isEmpty()
              ? "The body is too large for this proxy."
              : "The body is too large for a request with an idempotency key.");
    }
    return kind.map(each -> InvocationBody.textual(bytes, each))
        .orElseGet(() -> InvocationBody.complete(bytes));
  }

  /** Buffers a body that may contain expressions, or streams it if it is too long. */
  private InvocationBody bufferTextual(Exchange exchange, InputStream content, TextualBody kind)
      throws IOException {
    byte[] bytes = read(exchange, content, limit);
    return bytes.length <= limit
        ? InvocationBody.textual(bytes, kind)
        : stream(bytes, content, exchange.call().bodyLength(), kind);
  }

  /** Streams a body that is too long to buffer. */
  private static InvocationBody stream(
      byte[] beginning, InputStream rest, OptionalLong length, TextualBody kind) {
    ByteScanner scanner = kind.scanner();
    if (scanner.scan(beginning, 0, beginning.length)) {
      throw ScannedStream.tooLarge();
    }
    return InvocationBody.streamed(
        new SequenceInputStream(
            new ByteArrayInputStream(beginning), new ScannedStream(rest, scanner)),
        length);
  }

  /** The rest of a body that is too long to buffer; fails at the end of the first expression. */
  private static final class ScannedStream extends FilterInputStream {

    private final ByteScanner scanner;

    ScannedStream(InputStream content, ByteScanner scanner) {
      super(content);
      this.scanner = scanner;
    }

    static RefusedException tooLarge() {
      return new RefusedException(
          FailureCause.BODY_TOO_LARGE, "The body is too large to replace expressions.");
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      if (count > 0 && scanner.scan(buffer, offset, count)) {
        throw new BodyRefusedException(tooLarge());
      }
      return count;
    }
  }
}
