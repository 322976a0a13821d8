package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.engine.expression.template.Template;
import io.tokenvault.engine.expression.template.TokenValues;
import io.tokenvault.engine.expression.template.WorkMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A kind of body that can contain expressions, according to its content type. Implementations are
 * immutable.
 */
public abstract class TextualBody {

  /** Returns the kind of a content type; empty if its bodies cannot contain expressions. */
  public static Optional<TextualBody> of(String contentType) {
    return of(contentType, 0);
  }

  /**
   * Returns the kind of a content type inside of multipart bodies.
   *
   * @param depth number of multipart bodies around it
   */
  static Optional<TextualBody> of(String contentType, int depth) {
    MediaType type = MediaType.parse(contentType);
    return type.isMultipart()
        ? MultipartBody.of(type, depth)
        : BodySyntax.of(type).map(syntax -> new CharacterBody(syntax, type));
  }

  /**
   * Finds the expressions in a complete body.
   *
   * @param memory reserves memory for the work, before it starts, if the body may contain
   *     expressions
   * @return empty if there are none, so that the body is forwarded unchanged
   * @throws ValidationException if there are expressions and the body does not match its type
   */
  public abstract Optional<BodyTemplate> read(byte[] body, WorkMemory memory);

  /** Returns a scanner that detects expressions in a body that is too long to buffer. */
  public abstract ByteScanner scanner();

  /**
   * A body with slots for token data.
   *
   * <pre>{@code
   * Optional<BodyTemplate> template = TextualBody.of("application/json").get().read(body, memory);
   * byte[] rendered = template.get().render(values);
   * }</pre>
   */
  public interface BodyTemplate {

    /**
     * Returns the token ids exactly as they are written in the expressions; there is at least one.
     */
    Set<String> tokenIds();

    /**
     * Returns the body with all slots replaced. Bytes outside of the strings, runs of text and
     * attribute values that contain an expression are unchanged.
     *
     * @param values data of all {@link #tokenIds()}
     * @throws io.tokenvault.domain.failure.ValidationException if the data of a token cannot be
     *     written at the place of its expression
     */
    byte[] render(TokenValues values);
  }

  /** Detects expressions in bytes that are streamed. An instance serves one body and one thread. */
  public interface ByteScanner {

    /** Scans the next bytes and returns whether they complete an expression. */
    boolean scan(byte[] bytes, int offset, int length);
  }

  /**
   * A body of characters in one charset: the one that the content type names, or else the default
   * of the syntax.
   */
  private static final class CharacterBody extends TextualBody {

    /** Bytes of memory that reading and rendering takes for each byte of a body. */
    private static final int WORK = 6;

    /** Charsets for which a replacement character reveals that the input was malformed. */
    private static final Set<Charset> REPLACING_MALFORMED =
        Set.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);

    private static final char REPLACEMENT = '\ufffd';
    private static final int CHUNK = 8 * 1024;

    private final BodySyntax syntax;
    private final MediaType type;

    CharacterBody(BodySyntax syntax, MediaType type) {
      this.syntax = syntax;
      this.type = type;
    }

    @Override
    public Optional<BodyTemplate> read(byte[] body, WorkMemory memory) {
      Optional<Charset> charset = syntax.charset(type, body);
      if (charset.isPresent() && !syntax.mayHoldExpression(body, charset.get())) {
        return Optional.empty();
      }
      memory.reserve((long) WORK * body.length);
      try {
        Charset exact = BodyCharset.exact(charset.orElseThrow(CharacterCodingException::new), body);
        return read(decode(body, exact), exact, body);
      } catch (CharacterCodingException undecodable) {
        if (scanner(charset).scan(body, 0, body.length)) {
          throw ValidationException.of(
              "error", "The body contains an expression, but is not valid text in its charset.");
        }
        return Optional.empty();
      }
    }

    /**
     * Finds the expressions in a text; empty if there are none.
     *
     * @throws ValidationException if encoding the text does not reproduce the body, as changing a
     *     part of it would change the rest
     */
    private Optional<BodyTemplate> read(String text, Charset charset, byte[] body)
        throws CharacterCodingException {
      Template template = syntax.read(text, charset);
      if (!template.hasSlots()) {
        return Optional.empty();
      }
      if (!charset.equals(StandardCharsets.UTF_8)
          && !Arrays.equals(encode(List.of(text).iterator(), charset, body.length), body)) {
        throw ValidationException.of(
            "error", "The body cannot be changed in its charset without re-encoding all of it.");
      }
      return Optional.of(new Slotted(template, charset, body.length));
    }

    /**
     * Decodes a body, without a separate buffer for charsets that allow errors to be detected
     * afterwards.
     */
    private static String decode(byte[] body, Charset charset) throws CharacterCodingException {
      String text = REPLACING_MALFORMED.contains(charset) ? new String(body, charset) : "";
      return text.isEmpty() || text.indexOf(REPLACEMENT) >= 0
          ? BodyCharset.decodeStrictly(body, charset)
          : text;
    }

    /**
     * Encodes a text piece by piece, so that the whole text is never in memory.
     *
     * @throws CharacterCodingException if the charset lacks a character
     */
    private static byte[] encode(Iterator<String> pieces, Charset charset, int expectedLength)
        throws CharacterCodingException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(expectedLength);
      while (charset.equals(StandardCharsets.UTF_8) && pieces.hasNext()) {
        String piece = pieces.next();
        if (hasSurrogates(piece)) {
          // The other half of a pair may be in the next piece.
          return encode(piece, pieces, charset, bytes);
        }
        bytes.writeBytes(piece.getBytes(StandardCharsets.UTF_8));
      }
      return encode("", pieces, charset, bytes);
    }

    private static boolean hasSurrogates(String text) {
      for (int i = 0; i < text.length(); i++) {
        if (Character.isSurrogate(text.charAt(i))) {
          return true;
        }
      }
      return false;
    }

    /** Encodes the rest of a text with an encoder, and returns all of its bytes. */
    private static byte[] encode(
        String next, Iterator<String> rest, Charset charset, ByteArrayOutputStream bytes)
        throws CharacterCodingException {
      if (next.isEmpty() && !rest.hasNext()) {
        return bytes.toByteArray();
      }
      try (Writer writer = new OutputStreamWriter(bytes, charset.newEncoder())) {
        write(next, writer);
        while (rest.hasNext()) {
          write(rest.next(), writer);
        }
      } catch (CharacterCodingException unencodable) {
        throw unencodable;
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      return bytes.toByteArray();
    }

    private static void write(String piece, Writer writer) throws IOException {
      for (int at = 0; at < piece.length(); at += CHUNK) {
        writer.write(piece, at, Math.min(CHUNK, piece.length() - at));
      }
    }

    /**
     * Returns a scanner; for XML without a named charset, one that detects the charset from the
     * body.
     */
    @Override
    public ByteScanner scanner() {
      return type.namesCharset() || syntax != BodySyntax.XML
          ? scanner(syntax.charset(type, new byte[0]))
          : new XmlByteScanner();
    }

    private ByteScanner scanner(Optional<Charset> charset) {
      return new CharsetScanner(charset.orElse(StandardCharsets.ISO_8859_1), syntax.scanner());
    }

    /** A text with slots, which is encoded when it is rendered. */
    private record Slotted(Template text, Charset charset, int length) implements BodyTemplate {

      @Override
      public Set<String> tokenIds() {
        return text.tokenIds();
      }

      @Override
      public byte[] render(TokenValues values) {
        try {
          return encode(text.pieces(values), charset, length);
        } catch (CharacterCodingException unencodable) {
          throw BodyCharset.lacking();
        }
      }
    }

    /**
     * Scans XML that declares its charset itself. The beginning is kept until the charset is known,
     * and is then scanned too.
     */
    private final class XmlByteScanner implements ByteScanner {
      private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
      private Optional<ByteScanner> decoded = Optional.empty();

      @Override
      public boolean scan(byte[] bytes, int offset, int length) {
        if (decoded.isPresent()) {
          return decoded.get().scan(bytes, offset, length);
        }
        for (int i = 0; i < length; i++) {
          beginning.write(bytes[offset + i]);
          byte[] known = beginning.toByteArray();
          if (!BodyCharset.needsMoreXml(known)) {
            ByteScanner whole = scanner(BodyCharset.ofXml(known));
            decoded = Optional.of(whole);
            return whole.scan(known, 0, known.length)
                || whole.scan(bytes, offset + i + 1, length - i - 1);
          }
        }
        return false;
      }
    }
  }
}
