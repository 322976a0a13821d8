package io.tokenvault.engine.worker.node.script;

import org.mozilla.javascript.ScriptableObject;

/** An object of a script with a state in Java, which no property shows. */
public final class HostObject<T> extends ScriptableObject {
  private static final long serialVersionUID = 1L;

  private final transient T state;

  public HostObject(T state) {
    this.state = state;
  }

  /** The state of that kind behind a value; else null. */
  public static <S> S state(Object value, Class<S> kind) {
    if (!(value instanceof HostObject)) {
      return null;
    }
    Object state = ((HostObject<?>) value).state;
    return kind.isInstance(state) ? kind.cast(state) : null;
  }

  /** The state of {@code this}; another receiver is the error that Node.js calls it. */
  public static <S> S self(Object value, Class<S> kind, String name) {
    S state = state(value, kind);
    if (state == null) {
      throw NodeError.type("ERR_INVALID_THIS", "Value of \"this\" must be of type " + name);
    }
    return state;
  }

  @Override
  public String getClassName() {
    return "Object";
  }
}
