package io.tokenvault.engine.worker.node.script;

import java.util.Arrays;
import java.util.HexFormat;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;
import org.mozilla.javascript.typedarrays.NativeArrayBufferView;
import org.mozilla.javascript.typedarrays.NativeUint8Array;

/**
 * View of the bytes of a script's object, shared with the object.
 *
 * <p>A view is valid until the script runs again, which may detach the memory: get a new one
 * afterwards. The fields are public for fast loops over {@code array}, which starts at {@code
 * offset}.
 */
public final class ByteView {
  /** The number of bytes that {@code util.inspect} shows. */
  public static final int INSPECTED = 50;

  private static final byte[] NONE = {};

  public final byte[] array;
  public final int offset;
  public final int length;

  /** Creates a view of a part of an array, without checking its bounds. */
  public ByteView(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  public static ByteView of(byte[] array) {
    return new ByteView(array, 0, array.length);
  }

  /**
   * Returns the bytes of a buffer, typed array, {@code DataView} or {@code ArrayBuffer}; null for
   * any other value.
   */
  public static ByteView of(Object value) {
    if (value instanceof NativeArrayBufferView) {
      return ofView(value);
    }
    if (value instanceof NativeArrayBuffer memory) {
      byte[] bytes = memory.getBuffer();
      return of(bytes == null ? NONE : bytes);
    }
    return null;
  }

  /**
   * Returns the bytes of a buffer, typed array or {@code DataView}; null for any other value. A
   * view whose memory is detached or too short has no bytes.
   */
  public static ByteView ofView(Object value) {
    if (!(value instanceof NativeArrayBufferView view)) {
      return null;
    }
    NativeArrayBuffer memory = view.getBuffer();
    byte[] bytes = memory == null ? null : memory.getBuffer();
    long end = (long) view.getByteOffset() + view.getByteLength();
    return bytes == null || end > bytes.length
        ? of(NONE)
        : new ByteView(bytes, view.getByteOffset(), view.getByteLength());
  }

  /**
   * Returns the bytes of a {@code Buffer} or another {@code Uint8Array}; null for any other value.
   */
  public static ByteView ofUint8(Object value) {
    return value instanceof NativeUint8Array ? ofView(value) : null;
  }

  /**
   * Returns the bytes of the receiver of a {@code Buffer} method.
   *
   * @throws NodeError a {@code TypeError} if it is not a {@code Uint8Array}
   */
  public static ByteView self(Object value) {
    ByteView view = ofUint8(value);
    if (view == null) {
      throw NodeError.type("ERR_INVALID_ARG_TYPE", "argument must be a buffer");
    }
    return view;
  }

  /** Returns a view of the bytes from {@code start} up to but excluding {@code end}. */
  public ByteView part(int start, int end) {
    return new ByteView(array, offset + start, end - start);
  }

  public byte[] copy() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /** Returns a copy of other bytes followed by these. */
  public byte[] copyAfter(byte[] others) {
    byte[] joined = Arrays.copyOf(others, others.length + length);
    System.arraycopy(array, offset, joined, others.length, length);
    return joined;
  }

  public int at(int index) {
    return array[offset + index] & 0xff;
  }

  /** Compares the bytes as unsigned numbers; returns -1, 0 or 1 as {@code Buffer.compare} does. */
  public int compare(ByteView other) {
    int order =
        Arrays.compareUnsigned(
            array, offset, offset + length, other.array, other.offset, other.offset + other.length);
    return Integer.signum(order);
  }

  /** Returns the bytes in the format of {@code util.inspect}: the first 50 in hexadecimal. */
  public String inspect() {
    StringBuilder out = new StringBuilder("<Buffer");
    int shown = Math.min(INSPECTED, length);
    for (int i = 0; i < shown; i++) {
      out.append(' ').append(HexFormat.of().toHexDigits(array[offset + i]));
    }
    int more = length - shown;
    if (more > 0) {
      out.append(" ... ").append(more).append(more == 1 ? " more byte" : " more bytes");
    }
    return out.append(shown == 0 ? " >" : ">").toString();
  }
}
