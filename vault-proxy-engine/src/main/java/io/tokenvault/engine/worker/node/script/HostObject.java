package io.tokenvault.engine.worker.node.script;

import org.mozilla.javascript.ScriptableObject;

/**
 * An object of a script with Java state that no property exposes.
 *
 * @param <T> the type of the state
 */
public final class HostObject<T> extends ScriptableObject {
  private static final long serialVersionUID = 1L;

  private final transient T state;

  public HostObject(T state) {
    this.state = state;
  }

  /** Returns the state of an object; null if the value has no state of that type. */
  public static <S> S state(Object value, Class<S> kind) {
    return value instanceof HostObject<?> object && kind.isInstance(object.state)
        ? kind.cast(object.state)
        : null;
  }

  /**
   * Returns the state of the receiver of a method.
   *
   * @param name the name of the class for the error message
   * @throws NodeError {@code ERR_INVALID_THIS} if the receiver has no state of that type
   */
  public static <S> S self(Object value, Class<S> kind, String name) {
    S state = state(value, kind);
    if (state == null) {
      throw NodeError.type("ERR_INVALID_THIS", "Value of \"this\" must be of type " + name);
    }
    return state;
  }

  /** Returns the simple name of the class of the state. */
  String kind() {
    return state.getClass().getSimpleName();
  }

  @Override
  public String getClassName() {
    return "Object";
  }
}
