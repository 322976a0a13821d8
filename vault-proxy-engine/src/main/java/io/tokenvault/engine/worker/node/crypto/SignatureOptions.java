package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBufferView;

/**
 * Options of a signature, from the object that contains the key. For any other form of key they
 * have their defaults.
 */
final class SignatureOptions {
  /** The padding RSASSA-PKCS1-v1_5. */
  static final int PKCS1 = 1;

  /** The padding RSASSA-PSS. */
  static final int PSS = 6;

  /** The salt length of the hash function. */
  static final int SALT_OF_DIGEST = -1;

  /** The greatest salt length for signing, and any salt length for verifying. */
  static final int SALT_AUTO = -2;

  private final int padding;
  private final int saltLength;

  /** Whether EC signatures have the format of IEEE P1363 instead of DER. */
  private final boolean p1363;

  private SignatureOptions(int padding, int saltLength, boolean p1363) {
    this.padding = padding;
    this.saltLength = saltLength;
    this.p1363 = p1363;
  }

  /**
   * Reads the options {@code padding}, {@code saltLength} and {@code dsaEncoding} of a key
   * argument.
   *
   * @throws NodeError if one has an invalid value
   */
  static SignatureOptions of(Object value) {
    boolean described =
        value instanceof Scriptable
            && !(value instanceof HostObject)
            && !(value instanceof NativeArrayBufferView)
            && !Undefined.isUndefined(value);
    if (!described) {
      return new SignatureOptions(PKCS1, SALT_AUTO, false);
    }
    int padding = whole(value, "padding", PKCS1);
    int saltLength = whole(value, "saltLength", SALT_AUTO);
    return new SignatureOptions(padding, saltLength, p1363(value));
  }

  /**
   * Returns an option that must be an integer.
   *
   * @param otherwise the value if the option is missing
   */
  private static int whole(Object options, String name, int otherwise) {
    Object value = LazyMembers.property(options, name);
    if (value == null || Undefined.isUndefined(value)) {
      return otherwise;
    }
    double number = CallArguments.isNumber(value) ? ((Number) value).doubleValue() : Double.NaN;
    if (number != (int) number) {
      throw NodeError.option(name, value);
    }
    return (int) number;
  }

  /** Returns whether the option {@code dsaEncoding} asks for the format of IEEE P1363. */
  private static boolean p1363(Object options) {
    Object value = LazyMembers.property(options, "dsaEncoding");
    String name = value instanceof CharSequence ? value.toString() : "";
    boolean known = Undefined.isUndefined(value) || name.equals("der");
    if (!known && !name.equals("ieee-p1363")) {
      throw NodeError.option("dsaEncoding", value);
    }
    return !known;
  }

  boolean isP1363() {
    return p1363;
  }

  /**
   * Returns whether an RSA signature uses PSS.
   *
   * @throws NodeError if the padding is not supported for signatures
   */
  boolean isPss() {
    if (padding != PKCS1 && padding != PSS) {
      throw NodeError.openSsl(
          "1C8000A5", "Provider routines", "illegal or unsupported padding mode");
    }
    return padding == PSS;
  }

  /**
   * Returns the salt length in bytes, or {@link #SALT_AUTO}.
   *
   * @throws NodeError if it is negative and not one of the constants
   */
  int saltLength(DigestAlgorithms digest) {
    if (saltLength < SALT_AUTO) {
      throw invalidSalt();
    }
    return saltLength == SALT_OF_DIGEST ? digest.bytes() : saltLength;
  }

  /** Returns the error of OpenSSL for an invalid salt length. */
  static NodeError invalidSalt() {
    return NodeError.openSsl("1C800070", "Provider routines", "invalid salt length");
  }
}
