package io.tokenvault.engine.worker.node.buffer;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
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
    LambdaConstructor encoder =
        realm.constructor(
            ENCODER,
            0,
            (r, self, args) -> new HostObject<>(new Utf8Writing()),
            (r, self, args) -> needsNew(ENCODER));
    ScriptableObject prototype = realm.prototype(encoder);
    LazyMembers.listed(realm, prototype)
        .getter("encoding", (r, self, args) -> writing(self, "utf-8"))
        .method("encode", 0, TextCoders::encode)
        .method("encodeInto", 2, TextCoders::encodeInto);
    realm.tag(prototype, ENCODER);
    return encoder;
  }

  /** Marks an object as a {@code TextEncoder}, which has no state. */
  private static final class Utf8Writing {}

  /** Throws the error for a call of the class without {@code new}. */
  private static Object needsNew(String name) {
    throw NodeError.type(null, "Class constructor " + name + " cannot be invoked without 'new'");
  }

  /** Checks that the receiver is a {@code TextEncoder} and returns a value. */
  private static Object writing(Object self, Object value) {
    HostObject.self(self, Utf8Writing.class, ENCODER);
    return value;
  }

  /** Implements {@code TextEncoder.encode}. */
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
    LambdaConstructor decoder =
        realm.constructor(
            DECODER,
            0,
            (r, self, args) -> new HostObject<>(decoding(args)),
            (r, self, args) -> needsNew(DECODER));
    ScriptableObject prototype = realm.prototype(decoder);
    LazyMembers.listed(realm, prototype)
        .getter("encoding", (r, self, args) -> decoding(self).encoding())
        .getter("fatal", (r, self, args) -> decoding(self).fatal())
        .getter("ignoreBOM", (r, self, args) -> decoding(self).ignoreBom())
        .method("decode", 0, TextCoders::decode);
    realm.tag(prototype, DECODER);
    return decoder;
  }

  /** Returns the state of the receiver. */
  private static TextDecoding decoding(Object self) {
    return HostObject.self(self, TextDecoding.class, DECODER);
  }

  /** Returns the state for the arguments of the constructor. */
  private static TextDecoding decoding(CallArguments args) {
    String label = args.has(0) ? ScriptRuntime.toString(args.at(0)) : "utf-8";
    Object options = args.at(1);
    return new TextDecoding(label, isSet(options, "fatal"), isSet(options, "ignoreBOM"));
  }

  /**
   * Returns whether an option is truthy.
   *
   * @throws NodeError if the options are not an object
   */
  private static boolean isSet(Object options, String name) {
    if (options == null || Undefined.isUndefined(options)) {
      return false;
    }
    if (!(options instanceof Scriptable)) {
      throw NodeError.argument("options", "of type object", options);
    }
    return ScriptRuntime.toBoolean(LazyMembers.property(options, name));
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
}
