package io.tokenvault.engine.worker.node.script;

import java.util.Arrays;
import java.util.HexFormat;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;
import org.mozilla.javascript.typedarrays.NativeArrayBufferView;
import org.mozilla.javascript.typedarrays.NativeUint8Array;

/**
 * The bytes behind a script's object, shared with it and not copied. Of the moment: to be asked for
 * anew after anything that lets the script run, which may detach the memory.
 */
public final class ByteView {
  /** How many bytes {@code util.inspect} shows. */
  public static final int INSPECTED = 50;

  private static final byte[] NONE = {};

  public final byte[] array;
  public final int offset;
  public final int length;

  public ByteView(byte[] array, int offset, int length) {
    this.array = array;
    this.offset = offset;
    this.length = length;
  }

  public static ByteView of(byte[] array) {
    return new ByteView(array, 0, array.length);
  }

  /** Of a buffer, typed array, {@code DataView} or {@code ArrayBuffer}; else null. */
  public static ByteView of(Object value) {
    if (value instanceof NativeArrayBufferView) {
      return ofView(value);
    }
    if (value instanceof NativeArrayBuffer) {
      byte[] bytes = ((NativeArrayBuffer) value).getBuffer();
      return of(bytes == null ? NONE : bytes);
    }
    return null;
  }

  /** Of a buffer, typed array or {@code DataView}; else null. */
  public static ByteView ofView(Object value) {
    if (!(value instanceof NativeArrayBufferView)) {
      return null;
    }
    NativeArrayBufferView view = (NativeArrayBufferView) value;
    NativeArrayBuffer memory = view.getBuffer();
    byte[] bytes = memory == null ? null : memory.getBuffer();
    long end = (long) view.getByteOffset() + view.getByteLength();
    return bytes == null || end > bytes.length
        ? of(NONE)
        : new ByteView(bytes, view.getByteOffset(), view.getByteLength());
  }

  /** Of a buffer or another {@code Uint8Array}; else null. */
  public static ByteView ofUint8(Object value) {
    return value instanceof NativeUint8Array ? ofView(value) : null;
  }

  /** {@code this} of a method of {@code Buffer}. */
  public static ByteView self(Object value) {
    ByteView view = ofUint8(value);
    if (view == null) {
      throw NodeError.type("ERR_INVALID_ARG_TYPE", "argument must be a buffer");
    }
    return view;
  }

  public ByteView part(int start, int end) {
    return new ByteView(array, offset + start, end - start);
  }

  public byte[] copy() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  public int at(int index) {
    return array[offset + index] & 0xff;
  }

  public int compare(ByteView other) {
    int order =
        Arrays.compareUnsigned(
            array, offset, offset + length, other.array, other.offset, other.offset + other.length);
    return Integer.signum(order);
  }

  /** Shows the bytes as {@code util.inspect} of Node.js does: the first of them in hex. */
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
