package io.tokenvault.engine.worker.realm;

import io.tokenvault.engine.worker.node.script.RealmServices;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.Scriptable;

/**
 * Services of a realm that was built before its invocation was known. Forwards all calls to the
 * invocation.
 */
final class RealmEnvironment implements RealmServices {

  private RealmServices invocation;

  /**
   * Assigns the invocation.
   *
   * @throws IllegalStateException if there is one already
   */
  void bind(RealmServices invocation) {
    if (this.invocation != null) {
      throw new IllegalStateException("a realm is used once");
    }
    this.invocation = invocation;
  }

  @Override
  public void call(
      Context context, Scriptable realm, String operation, String json, Callable done) {
    invocation.call(context, realm, operation, json, done);
  }

  @Override
  public int setTimer(Callable function, Object[] arguments, double delayMillis, boolean repeats) {
    return invocation.setTimer(function, arguments, delayMillis, repeats);
  }

  @Override
  public void clearTimer(int number) {
    invocation.clearTimer(number);
  }

  @Override
  public void enqueueMicrotask(Callable function, Object[] arguments) {
    invocation.enqueueMicrotask(function, arguments);
  }

  /**
   * Counts work for the invocation; work before there is one is part of building the realm and is
   * not counted.
   */
  @Override
  public void spend(long units) {
    if (invocation != null) {
      invocation.spend(units);
    }
  }

  @Override
  public void console(String level, String text) {
    invocation.console(level, text);
  }
}
