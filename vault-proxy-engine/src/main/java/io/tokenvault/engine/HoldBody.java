package io.tokenvault.engine;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.expression.TextualBody;
import io.tokenvault.engine.expression.WatchedBytes;
import io.tokenvault.ports.api.ProxyCall;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.SequenceInputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Holds bodies that can hold expressions, up to a limit; beyond it they pass by under watch. All
 * others pass by. What a transform is to be given, and what may be sent again, is held whole,
 * whatever it is.
 */
final class HoldBody implements Step {

  private static final Set<String> BODYLESS = Set.of("GET", "HEAD");
  private static final int CHUNK = 64 * 1024;

  private final int limit;
  private final int transformLimit;
  private final DetokenizeHeader header;

  /**
   * @param limit in bytes
   * @param transformLimit of a body that a transform is given, in bytes
   */
  HoldBody(int limit, int transformLimit, DetokenizeHeader header) {
    this.limit = limit;
    this.transformLimit = transformLimit;
    this.header = header;
  }

  @Override
  public String name() {
    return "HoldBody";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    ProxyCall call = exchange.call();
    Optional<TextualBody> kind =
        header.asksFor(exchange) ? textual(call.headers()) : Optional.empty();
    try {
      return exchange.with(body(exchange, kind));
    } catch (IOException brokenOff) {
      throw ValidationException.of("error", "The request's body broke off before its end.");
    }
  }

  @Override
  public boolean readsTheBody() {
    return true;
  }

  /** How a body with these headers is read for expressions; empty if it has none. */
  static Optional<TextualBody> textual(List<HeaderField> fields) {
    boolean encoded =
        fields.stream()
            .filter(field -> field.is("Content-Encoding"))
            .map(field -> field.value().strip())
            .anyMatch(coding -> !coding.isEmpty() && !coding.equalsIgnoreCase("identity"));
    return encoded ? Optional.empty() : contentType(fields).flatMap(TextualBody::of);
  }

  /**
   * Of two, the destination might take the other one, and data written for one for something else.
   */
  private static Optional<String> contentType(List<HeaderField> fields) {
    List<String> types =
        fields.stream().filter(field -> field.is("Content-Type")).map(HeaderField::value).toList();
    if (types.size() > 1) {
      throw ValidationException.of(
          "error", "The request has more than one Content-Type; send one.");
    }
    return types.stream().findFirst();
  }

  private Body body(Exchange exchange, Optional<TextualBody> kind) throws IOException {
    ProxyCall call = exchange.call();
    PushbackInputStream content = new PushbackInputStream(call.body());
    if (isEmpty(call.bodyLength(), content)) {
      return call.bodyLength().isPresent() && !BODYLESS.contains(call.method())
          ? Body.complete(new byte[0])
          : Body.none();
    }
    if (BODYLESS.contains(call.method())) {
      throw ValidationException.of("error", "GET and HEAD are forwarded without a body only.");
    }
    if (exchange.admission().transform(TransformKind.REQUEST).isPresent()
        || exchange.repetition().key().isPresent()) {
      return holdAll(exchange, content, kind);
    }
    return kind.isPresent()
        ? hold(exchange, content, kind.get())
        : Body.passing(content, call.bodyLength());
  }

  /** The body, if an earlier run of this step has read it. */
  private static Optional<byte[]> read(Exchange exchange, int limit) {
    return exchange.read().filter(bytes -> bytes.length <= limit);
  }

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

  private Body holdAll(Exchange exchange, InputStream content, Optional<TextualBody> kind)
      throws IOException {
    Optional<byte[]> read = read(exchange, transformLimit);
    byte[] bytes =
        (read.isPresent() ? read : HeldChunks.readAll(content, transformLimit, exchange.memory()))
            .orElseThrow(
                () -> new RefusedException(FailureCause.BODY_TOO_LARGE, tooLarge(exchange)));
    return kind.map(each -> Body.held(bytes, each)).orElseGet(() -> Body.complete(bytes));
  }

  private static String tooLarge(Exchange exchange) {
    return exchange.repetition().key().isPresent()
        ? "The body is too large for a request with an idempotency key."
        : "The body is too large for this proxy.";
  }

  private Body hold(Exchange exchange, InputStream content, TextualBody kind) throws IOException {
    Optional<byte[]> read = read(exchange, limit);
    if (read.isPresent()) {
      return Body.held(read.get(), kind);
    }
    HeldChunks held = new HeldChunks();
    while (held.size() <= limit) {
      byte[] chunk = content.readNBytes(Math.min(CHUNK, limit + 1 - held.size()));
      if (chunk.length == 0) {
        return Body.held(held.join(), kind);
      }
      exchange.memory().hold(chunk.length);
      held.add(chunk);
    }
    return pass(held.join(), content, exchange.call().bodyLength(), kind);
  }

  private static Body pass(
      byte[] beginning, InputStream rest, OptionalLong length, TextualBody kind) {
    WatchedBytes watch = kind.watch();
    if (watch.see(beginning, 0, beginning.length)) {
      throw WatchedStream.tooLarge();
    }
    return Body.passing(
        new SequenceInputStream(
            new ByteArrayInputStream(beginning), new WatchedStream(rest, watch)),
        length);
  }
}
