package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.Environment;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;
import org.mozilla.javascript.typedarrays.NativeArrayBufferView;

/** Globals and built-in modules. Shared by all realms of a worker; keeps nothing of any. */
public final class NodeSurface {

  private NodeSurface() {}

  /** Parses the scripts of the surface, once for each worker. */
  public static NodeSurface load(List<String> errorModules) {
    return new NodeSurface();
  }

  /** The names of the built-in modules, without {@code node:}. */
  public Set<String> builtins() {
    return Set.of();
  }

  /** Defines the globals of a new realm. */
  public void define(Context cx, ScriptableObject realm, Environment env) {}

  /** A built-in module, with or without {@code node:}; null if there is none of this name. */
  public Object module(Context cx, Scriptable realm, String name) {
    return null;
  }

  /** The object {@code bt}. */
  public Object client(Context cx, Scriptable realm) {
    return cx.newObject(realm);
  }

  /** A {@code Buffer} of these bytes. */
  public Object buffer(Context cx, Scriptable realm, byte[] bytes) {
    NativeArrayBuffer buffer =
        (NativeArrayBuffer) cx.newObject(realm, "ArrayBuffer", new Object[] {bytes.length});
    System.arraycopy(bytes, 0, buffer.getBuffer(), 0, bytes.length);
    return cx.newObject(realm, "Uint8Array", new Object[] {buffer});
  }

  /** The bytes of a Buffer, a Uint8Array, an ArrayBuffer or a DataView; null of all else. */
  public byte[] bytes(Object value) {
    if (value instanceof NativeArrayBuffer buffer) {
      return buffer.getBuffer().clone();
    }
    if (value instanceof NativeArrayBufferView view) {
      byte[] all = view.getBuffer().getBuffer();
      int start = view.getByteOffset();
      return Arrays.copyOfRange(all, start, start + view.getByteLength());
    }
    return null;
  }

  /** What an error of the module {@code vault-errors} says; null of all else. */
  public ThrownError describe(Context cx, Scriptable realm, Object thrown) {
    return null;
  }
}
