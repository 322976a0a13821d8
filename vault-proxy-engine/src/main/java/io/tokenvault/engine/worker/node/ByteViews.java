package io.tokenvault.engine.worker.node;

import java.util.Arrays;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;
import org.mozilla.javascript.typedarrays.NativeArrayBufferView;

/** Bytes in and out of JavaScript's binary objects. */
final class ByteViews {

  private ByteViews() {}

  static int length(Object value) {
    if (value instanceof NativeArrayBuffer buffer) {
      return buffer.getLength();
    }
    return value instanceof NativeArrayBufferView view ? view.getByteLength() : 0;
  }

  /**
   * @return a copy; null if this is no binary object
   */
  static byte[] copy(Object value) {
    if (value instanceof NativeArrayBuffer buffer) {
      return buffer.getBuffer().clone();
    }
    if (value instanceof NativeArrayBufferView view) {
      int start = view.getByteOffset();
      byte[] all = view.getBuffer().getBuffer();
      return Arrays.copyOfRange(all, start, start + view.getByteLength());
    }
    return null;
  }

  static NativeArrayBuffer arrayBuffer(Context cx, Scriptable realm, byte[] bytes) {
    NativeArrayBuffer buffer =
        (NativeArrayBuffer) cx.newObject(realm, "ArrayBuffer", new Object[] {bytes.length});
    System.arraycopy(bytes, 0, buffer.getBuffer(), 0, bytes.length);
    return buffer;
  }
}
