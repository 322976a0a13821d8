package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBufferView;

/** How to sign or verify: what an options object with a key says. */
final class SignatureOptions {
  static final int PKCS1 = 1;
  static final int PSS = 6;
  static final int SALT_OF_DIGEST = -1;
  static final int SALT_AUTO = -2;

  private final int padding;
  private final int saltLength;
  private final boolean p1363;

  private SignatureOptions(int padding, int saltLength, boolean p1363) {
    this.padding = padding;
    this.saltLength = saltLength;
    this.p1363 = p1363;
  }

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

  /** Checks the padding of an RSA signature. */
  boolean isPss() {
    if (padding != PKCS1 && padding != PSS) {
      throw NodeError.openSsl(
          "1C8000A5", "Provider routines", "illegal or unsupported padding mode");
    }
    return padding == PSS;
  }

  /** As given, or {@link #SALT_AUTO}. */
  int saltLength(DigestAlgorithms digest) {
    if (saltLength < SALT_AUTO) {
      throw invalidSalt();
    }
    return saltLength == SALT_OF_DIGEST ? digest.bytes() : saltLength;
  }

  static NodeError invalidSalt() {
    return NodeError.openSsl("1C800070", "Provider routines", "invalid salt length");
  }
}
