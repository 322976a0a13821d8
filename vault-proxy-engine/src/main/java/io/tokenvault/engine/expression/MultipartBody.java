package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.expression.template.WorkMemory;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A multipart body, each of whose parts has a type.
 *
 * <p>Expressions are replaced in the content of unencoded textual parts, each in the syntax of its
 * type; a part without a content type is text. Part headers, preamble and epilogue are not
 * searched. Nested multipart bodies are treated alike, up to a depth of five; deeper ones are not
 * searched.
 */
final class MultipartBody extends TextualBody {

  private static final int MAX_DEPTH = 5;

  /** One to 70 printable characters, not ending with a space. */
  private static final Pattern BOUNDARY = Pattern.compile("[ -~]{0,69}[!-~]");

  /** Bytes of memory that joining the parts takes for each byte, in addition to the parts' own. */
  private static final int WORK = 2;

  private final Optional<String> boundary;
  private final int depth;

  private MultipartBody(Optional<String> boundary, int depth) {
    this.boundary = boundary;
    this.depth = depth;
  }

  /**
   * Returns the body for a multipart type; empty if it is nested too deeply.
   *
   * @param depth number of multipart bodies around this one
   */
  static Optional<TextualBody> of(MediaType type, int depth) {
    return depth < MAX_DEPTH
        ? Optional.of(new MultipartBody(boundary(type), depth))
        : Optional.empty();
  }

  /**
   * Returns the boundary; empty if it is missing, ambiguous or invalid (RFC 2046, section 5.1.1).
   */
  private static Optional<String> boundary(MediaType type) {
    return type.isExtended("boundary")
        ? Optional.empty()
        : type.parameter("boundary").filter(each -> BOUNDARY.matcher(each).matches());
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

  /** Returns the parts with expressions; empty if the body is malformed. */
  private Optional<List<MultipartTemplate.Slot>> slots(
      byte[] body, String delimiting, WorkMemory memory) {
    ReadParts read = new ReadParts(body, memory);
    MultipartLexer lexer = new MultipartLexer(delimiting, read);
    lexer.feed(body, 0, body.length);
    return lexer.isComplete() ? Optional.of(read.slots) : Optional.empty();
  }

  /** Requires that a malformed body contains no expression. */
  private void requireNoExpression(byte[] body) {
    boolean seen =
        boundary.isPresent()
            ? new PartsScanner(boundary.get(), depth + 1).scanWhole(body)
            : withoutParts().scan(body, 0, body.length);
    if (seen) {
      throw ValidationException.of(
          "error", "The body contains an expression, but is not valid multipart.");
    }
  }

  @Override
  public ByteScanner scanner() {
    return boundary
        .<ByteScanner>map(each -> new PartsScanner(each, depth + 1))
        .orElseGet(MultipartBody::withoutParts);
  }

  private static ByteScanner withoutParts() {
    return new CharsetScanner(StandardCharsets.ISO_8859_1, new TextScanner());
  }

  /** Collects the parts that contain expressions. */
  private final class ReadParts implements MultipartLexer.Parts {

    private final byte[] body;
    private final WorkMemory memory;
    private final List<MultipartTemplate.Slot> slots = new ArrayList<>();
    private Optional<TextualBody> kind = Optional.empty();
    private int start;

    private ReadParts(byte[] body, WorkMemory memory) {
      this.memory = memory;
      this.body = body;
    }

    @Override
    public void begin(PartHeaders headers, long at) {
      kind = headers.kind(depth + 1);
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

  /** A multipart body with slots in some of its parts; all other bytes are unchanged. */
  private record MultipartTemplate(byte[] body, String boundary, List<Slot> slots)
      implements BodyTemplate {

    /** The content of a part, with its position in the body. */
    record Slot(int start, int end, BodyTemplate template) {}

    @Override
    public Set<String> tokenIds() {
      Set<String> ids = new LinkedHashSet<>();
      slots.forEach(slot -> ids.addAll(slot.template().tokenIds()));
      return ids;
    }

    @Override
    public byte[] render(TokenValues values) {
      ByteArrayOutputStream rendered = new ByteArrayOutputStream(body.length);
      int done = 0;
      for (Slot slot : slots) {
        rendered.write(body, done, slot.start() - done);
        rendered.writeBytes(content(slot, values));
        done = slot.end();
      }
      rendered.write(body, done, body.length - done);
      return rendered.toByteArray();
    }

    /**
     * Renders a part. The boundary must not appear again anywhere in it, not only where a delimiter
     * would be valid, because implementations differ on that.
     *
     * @throws ValidationException if the data of a token would add a boundary
     */
    private byte[] content(Slot slot, TokenValues values) {
      byte[] content = slot.template().render(values);
      String after = new String(content, StandardCharsets.ISO_8859_1);
      String before =
          new String(body, slot.start(), slot.end() - slot.start(), StandardCharsets.ISO_8859_1);
      if (after.contains("--" + boundary) || count(after) > count(before)) {
        throw ValidationException.of(
            "error", "With the data of a token, the body would contain another boundary.");
      }
      return content;
    }

    /** Returns how often the boundary occurs. */
    private int count(String text) {
      int count = 0;
      for (int at = text.indexOf(boundary); at >= 0; at = text.indexOf(boundary, at + 1)) {
        count++;
      }
      return count;
    }
  }

  /**
   * Scans a multipart body: each textual part in its own syntax, and binary parts not at all.
   * Everything in a malformed body is scanned.
   */
  private static final class PartsScanner implements ByteScanner, MultipartLexer.Parts {
    private final MultipartLexer lexer;
    private final int depth;
    private final ByteScanner outside = withoutParts();
    private Optional<ByteScanner> part = Optional.empty();
    private boolean foundOutsideParts;
    private boolean seen;

    /**
     * Creates a scanner.
     *
     * @param depth number of multipart bodies around the parts
     */
    PartsScanner(String boundary, int depth) {
      this.lexer = new MultipartLexer(boundary, this);
      this.depth = depth;
    }

    @Override
    public boolean scan(byte[] bytes, int offset, int length) {
      lexer.feed(bytes, offset, length);
      return seen;
    }

    /**
     * Returns whether a whole malformed body contains an expression, also in its preamble if it has
     * no parts.
     */
    boolean scanWhole(byte[] body) {
      return scan(body, 0, body.length) || (lexer.hasNoPart() && foundOutsideParts);
    }

    @Override
    public void preamble(byte[] bytes, int offset, int length) {
      foundOutsideParts |= outside.scan(bytes, offset, length);
    }

    @Override
    public void begin(PartHeaders headers, long start) {
      part = headers.kind(depth).map(TextualBody::scanner);
    }

    @Override
    public void content(byte[] bytes, int offset, int length) {
      seen = seen || part.filter(each -> each.scan(bytes, offset, length)).isPresent();
    }

    @Override
    public void end(long end) {
      part = Optional.empty();
    }

    @Override
    public void malformed(byte[] bytes, int offset, int length) {
      seen = seen || foundOutsideParts || outside.scan(bytes, offset, length);
    }
  }

  /**
   * The headers of a part that describe its content. A header that occurs with different values
   * makes the part's type or encoding ambiguous, so that the part is not searched.
   */
  record PartHeaders(Map<String, String> values) {

    private static final Pattern FOLD = Pattern.compile("\r\n[ \t]+");
    private static final String TEXT = "text/plain";
    private static final Set<String> AS_IT_IS = Set.of("7bit", "8bit", "binary", "identity", "");

    /** Value of a contradictory header; neither a textual type nor a known encoding. */
    private static final String AMBIGUOUS = "ambiguous";

    /**
     * Parses header lines, unfolding continued ones.
     *
     * @param lines each ending with CR LF
     */
    static PartHeaders parse(String lines) {
      Map<String, String> values = new HashMap<>();
      for (String line : FOLD.matcher(lines).replaceAll(" ").split("\r\n")) {
        int colon = line.indexOf(':');
        if (colon > 0) {
          String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
          // The destination might use either of two different values.
          values.merge(
              name,
              line.substring(colon + 1).strip(),
              (value, again) -> value.equals(again) ? value : AMBIGUOUS);
        }
      }
      return new PartHeaders(values);
    }

    /**
     * Returns how the content is searched for expressions; empty if it is not textual or is
     * encoded.
     *
     * @param depth number of multipart bodies around the part
     */
    Optional<TextualBody> kind(int depth) {
      return isAsItIs("content-transfer-encoding") && isAsItIs("content-encoding")
          ? TextualBody.of(values.getOrDefault("content-type", TEXT), depth)
          : Optional.empty();
    }

    /**
     * Returns whether an encoding header is missing or names an encoding that leaves the content
     * unchanged.
     */
    private boolean isAsItIs(String header) {
      return AS_IT_IS.contains(values.getOrDefault(header, "").toLowerCase(Locale.ROOT));
    }
  }
}
