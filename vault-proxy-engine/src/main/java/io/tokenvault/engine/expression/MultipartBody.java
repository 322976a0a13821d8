package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A body of parts, each with a type of its own. Expressions count in the contents of textual parts
 * (those without a content type are text) that are not encoded, each in the syntax of its type;
 * headers, preamble and epilogue are not replaced. A multipart body inside of another is read in
 * the same way, down to a depth beyond which it goes byte for byte.
 */
final class MultipartBody implements TextualBody {

  private static final int MAX_DEPTH = 5;

  /** How much memory putting the parts together takes for each byte, beyond the parts. */
  private static final int WORK = 2;

  private final Optional<String> boundary;
  private final int depth;

  private MultipartBody(Optional<String> boundary, int depth) {
    this.boundary = boundary;
    this.depth = depth;
  }

  /** Empty if it is too far inside of others. */
  static Optional<TextualBody> of(MediaType type, int depth) {
    return depth < MAX_DEPTH
        ? Optional.of(new MultipartBody(Boundary.of(type), depth))
        : Optional.empty();
  }

  @Override
  public Optional<BodyTemplate> read(byte[] body, WorkMemory memory) {
    Optional<List<MultipartTemplate.Slot>> slots =
        boundary.flatMap(each -> slots(body, each, memory));
    if (slots.isEmpty()) {
      requireNoExpression(body);
      return Optional.empty();
    }
    if (slots.get().isEmpty()) {
      return Optional.empty();
    }
    memory.reserve((long) WORK * body.length);
    return Optional.of(new MultipartTemplate(body, boundary.orElseThrow(), slots.get()));
  }

  /** Empty if the body is malformed. */
  private Optional<List<MultipartTemplate.Slot>> slots(
      byte[] body, String delimiting, WorkMemory memory) {
    ReadParts read = new ReadParts(body, depth + 1, memory);
    MultipartLexer lexer = new MultipartLexer(delimiting, read);
    lexer.feed(body, 0, body.length);
    return lexer.isComplete() ? Optional.of(read.slots) : Optional.empty();
  }

  private void requireNoExpression(byte[] body) {
    boolean seen =
        boundary.isPresent()
            ? new WatchedParts(boundary.get(), depth + 1).seesWhole(body)
            : unparted().see(body, 0, body.length);
    if (seen) {
      throw ValidationException.of(
          "error",
          "The body holds an expression, but it is not made of parts as its type announces.");
    }
  }

  @Override
  public WatchedBytes watch() {
    return boundary
        .<WatchedBytes>map(each -> new WatchedParts(each, depth + 1))
        .orElseGet(MultipartBody::unparted);
  }

  private static WatchedBytes unparted() {
    return new WatchedText(StandardCharsets.ISO_8859_1, new TextWatch());
  }

  private static final class ReadParts implements MultipartLexer.Parts {

    private final byte[] body;
    private final int depth;
    private final WorkMemory memory;
    private final List<MultipartTemplate.Slot> slots = new ArrayList<>();
    private Optional<TextualBody> kind = Optional.empty();
    private int start;

    private ReadParts(byte[] body, int depth, WorkMemory memory) {
      this.memory = memory;
      this.body = body;
      this.depth = depth;
    }

    @Override
    public void begin(PartHeaders headers, long at) {
      kind = headers.kind(depth);
      start = (int) at;
    }

    @Override
    public void end(long at) {
      int end = (int) at;
      kind.flatMap(each -> each.read(Arrays.copyOfRange(body, start, end), memory))
          .map(template -> new MultipartTemplate.Slot(start, end, template))
          .ifPresent(slots::add);
    }
  }
}
