package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.Unicode;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.SymbolKey;
import org.mozilla.javascript.Undefined;

/**
 * The classes {@code TextEncoder} and {@code TextDecoder} of the Encoding Standard, as Node.js
 * implements them.
 */
public final class TextCoders {
  private static final String ENCODER = "TextEncoder";
  private static final String DECODER = "TextDecoder";

  private TextCoders() {}

  /** Defines the class {@code TextEncoder} in a realm. */
  public static LambdaConstructor encoder(ByteRealm realm) {
    LambdaConstructor encoder = define(realm, ENCODER, args -> new Utf8Writing());
    properties(realm, encoder)
        .getter("encoding", (r, self, args) -> writing(self, "utf-8"))
        .method("encode", 0, TextCoders::encode)
        .method("encodeInto", 2, TextCoders::encodeInto);
    return encoder;
  }

  /** Defines a class that can be called with {@code new} only. */
  private static LambdaConstructor define(
      ByteRealm realm, String name, Function<CallArguments, Object> state) {
    LambdaConstructor type =
        realm.constructor(
            name,
            0,
            (r, self, args) -> new HostObject<>(state.apply(args)),
            (r, self, args) -> {
              throw NodeError.type(
                  null, "Class constructor " + name + " cannot be invoked without 'new'");
            });
    realm
        .prototype(type)
        .defineProperty(
            SymbolKey.TO_STRING_TAG, name, ScriptableObject.DONTENUM | ScriptableObject.READONLY);
    return type;
  }

  private static LazyProperties properties(ByteRealm realm, LambdaConstructor type) {
    return LazyProperties.listed(realm, realm.prototype(type));
  }

  /** Marks an object as a {@code TextEncoder}, which has no state. */
  private static final class Utf8Writing {}

  /** Checks that the receiver is a {@code TextEncoder} and returns a value. */
  private static Object writing(Object self, Object value) {
    HostObject.self(self, Utf8Writing.class, ENCODER);
    return value;
  }

  private static Object encode(ByteRealm realm, Object self, CallArguments args) {
    writing(self, null);
    String text = args.has(0) ? ScriptRuntime.toString(args.at(0)) : "";
    realm.spend(text.length());
    return realm.uint8Array(TextEncoding.UTF8.encode(text));
  }

  /** Implements {@code TextEncoder.encodeInto}, which writes as many complete characters as fit. */
  private static Object encodeInto(ByteRealm realm, Object self, CallArguments args) {
    writing(self, null);
    String text = args.text(0, "src");
    ByteView target = ByteView.ofUint8(args.at(1));
    if (target == null) {
      throw NodeError.argument("dest", "an instance of Uint8Array", args.at(1));
    }
    realm.spend(text.length());
    byte[] bytes = TextEncoding.UTF8.encode(text);
    int written =
        bytes.length <= target.length
            ? bytes.length
            : TextEncoding.UTF8.unitEnd(bytes, target.length);
    System.arraycopy(bytes, 0, target.array, target.offset, written);
    Scriptable result = realm.object();
    result.put("read", result, TextEncoding.UTF8.decode(new ByteView(bytes, 0, written)).length());
    result.put("written", result, written);
    return result;
  }

  /** Defines the class {@code TextDecoder} in a realm. */
  public static LambdaConstructor decoder(ByteRealm realm) {
    LambdaConstructor decoder = define(realm, DECODER, args -> decoding(args));
    properties(realm, decoder)
        .getter("encoding", (r, self, args) -> decoding(self).encoding)
        .getter("fatal", (r, self, args) -> decoding(self).fatal)
        .getter("ignoreBOM", (r, self, args) -> decoding(self).ignoreBom)
        .method("decode", 0, TextCoders::decode);
    return decoder;
  }

  private static TextDecoding decoding(Object self) {
    return HostObject.self(self, TextDecoding.class, DECODER);
  }

  private static TextDecoding decoding(CallArguments args) {
    String label = args.has(0) ? ScriptRuntime.toString(args.at(0)) : "utf-8";
    Object options = args.at(1);
    return new TextDecoding(label, isSet(options, "fatal"), isSet(options, "ignoreBOM"));
  }

  /** Returns whether an option is truthy. */
  private static boolean isSet(Object options, String name) {
    if (options == null || Undefined.isUndefined(options)) {
      return false;
    }
    if (!(options instanceof Scriptable)) {
      throw NodeError.argument("options", "of type object", options);
    }
    return ScriptRuntime.toBoolean(LazyProperties.property(options, name));
  }

  /**
   * Implements {@code TextDecoder.decode}; bytes of incomplete characters remain for the next call
   * if the option {@code stream} is set.
   */
  private static Object decode(ByteRealm realm, Object self, CallArguments args) {
    TextDecoding decoding = decoding(self);
    boolean more = isSet(args.at(1), "stream");
    ByteView bytes = args.has(0) ? ByteView.of(args.at(0)) : ByteView.of(new byte[0]);
    if (bytes == null) {
      throw NodeError.type(
          "ERR_INVALID_ARG_TYPE",
          "The \"list\" argument must be an instance of SharedArrayBuffer, ArrayBuffer or"
              + " ArrayBufferView.");
    }
    realm.spend(bytes.length);
    return decoding.decode(bytes, more);
  }

  /**
   * State of a {@code TextDecoder}: its options and the bytes of an incomplete character between
   * calls.
   *
   * <p>Supports UTF-8, UTF-16LE and windows-1252; the other encodings of the standard are rejected.
   */
  static final class TextDecoding {
    /** The names of the encodings by their labels in the Encoding Standard. */
    private static final Map<String, String> LABELS = new HashMap<>();

    static {
      for (String labels :
          List.of(
              "utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8",
              "utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
              "windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1"
                  + " iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii"
                  + " x-cp1252")) {
        String encoding = labels.substring(0, labels.indexOf(' '));
        List.of(labels.split(" ")).forEach(label -> LABELS.put(label, encoding));
      }
    }

    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");

    private final String encoding;
    private final boolean fatal;
    private final boolean ignoreBom;

    /** The bytes of an incomplete character. */
    private byte[] pending = {};

    /**
     * Whether text of the current stream has been returned, after which a byte order mark is text.
     */
    private boolean begun;

    /**
     * Creates the state.
     *
     * @param fatal whether malformed input throws
     * @param ignoreBom whether a byte order mark is text
     * @throws NodeError a {@code RangeError} if the encoding is not supported
     */
    TextDecoding(String label, boolean fatal, boolean ignoreBom) {
      this.encoding = LABELS.get(label.strip().toLowerCase(Locale.ROOT));
      this.fatal = fatal;
      this.ignoreBom = ignoreBom;
      if (encoding == null) {
        throw NodeError.range(
            "ERR_ENCODING_NOT_SUPPORTED", "The \"" + label + "\" encoding is not supported");
      }
    }

    /** Returns whether the bytes are well-formed UTF-8. */
    static boolean isUtf8(ByteView bytes) {
      ByteBuffer input = ByteBuffer.wrap(bytes.array, bytes.offset, bytes.length);
      try {
        return StandardCharsets.UTF_8.newDecoder().decode(input) != null;
      } catch (CharacterCodingException e) {
        return false;
      }
    }

    /**
     * Decodes bytes.
     *
     * @param more whether further bytes follow, so that an incomplete character at the end is kept
     *     for the next call
     * @throws NodeError if the input is malformed and the decoder is fatal
     */
    String decode(ByteView bytes, boolean more) {
      byte[] input = bytes.copyAfter(pending);
      pending = new byte[0];
      String text = text(input, more);
      boolean mark = !begun && !ignoreBom && !text.isEmpty() && text.charAt(0) == '\uFEFF';
      begun = more && (begun || !text.isEmpty());
      return mark && !encoding.startsWith("windows") ? text.substring(1) : text;
    }

    private String text(byte[] input, boolean more) {
      return switch (encoding) {
        case "utf-8" -> utf8(input, more);
        case "utf-16le" -> utf16(input, more);
        default -> windows1252(input);
      };
    }

    /** Decodes UTF-8. A decoder that is not fatal replaces malformed sequences by U+FFFD. */
    private String utf8(byte[] input, boolean more) {
      if (!fatal && !more) {
        return TextEncoding.UTF8.decode(ByteView.of(input));
      }
      CodingErrorAction action = fatal ? CodingErrorAction.REPORT : CodingErrorAction.REPLACE;
      CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(action);
      ByteView readable = Unicode.withoutEncodedSurrogates(ByteView.of(input));
      ByteBuffer in = ByteBuffer.wrap(readable.array, readable.offset, readable.length);
      CharBuffer out = CharBuffer.allocate(input.length + 1);
      CoderResult result = decoder.decode(in, out, !more);
      if (result.isError()) {
        throw invalid();
      }
      pending = Arrays.copyOfRange(input, in.position(), input.length);
      return out.flip().toString();
    }

    /**
     * Decodes UTF-16LE. A high surrogate at the end is kept for the next call; an odd byte at the
     * end of the stream is malformed.
     */
    private String utf16(byte[] input, boolean more) {
      int end = input.length & ~1;
      boolean half = end >= 2 && (input[end - 1] & 0xfc) == 0xd8;
      if (more && half) {
        end -= 2;
      }
      String text = TextEncoding.UTF16LE.decode(new ByteView(input, 0, end));
      String whole = Unicode.withoutLoneSurrogates(text);
      boolean odd = !more && (input.length & 1) == 1;
      if (fatal && (odd || !whole.equals(text))) {
        throw invalid();
      }
      if (more) {
        pending = Arrays.copyOfRange(input, end, input.length);
      }
      return odd ? whole + '\uFFFD' : whole;
    }

    /**
     * Decodes windows-1252, in which every byte is valid: those that the JDK does not map are
     * control characters.
     */
    private static String windows1252(byte[] input) {
      char[] text = new String(input, WINDOWS_1252).toCharArray();
      for (int i = 0; i < text.length; i++) {
        text[i] = text[i] == '\uFFFD' ? (char) (input[i] & 0xff) : text[i];
      }
      return new String(text);
    }

    private NodeError invalid() {
      return NodeError.type(
          "ERR_ENCODING_INVALID_ENCODED_DATA",
          "The encoded data was not valid for encoding " + encoding);
    }
  }
}
