package io.tokenvault.engine.worker.realm;

import java.util.function.Function;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.StackStyle;

/** Factory of contexts, configured to be as close to Node.js as Rhino's options allow. */
public final class ScriptContextFactory extends ContextFactory {

  /** Creates the factory, and sets the format of stacks for the whole process. */
  public ScriptContextFactory() {
    RhinoException.setStackStyle(StackStyle.V8);
  }

  /** Runs work of the worker itself, without limits. */
  public <T> T unmetered(Function<ScriptContext, T> work) {
    return metered(null, work);
  }

  /**
   * Runs work for a transform.
   *
   * @param meter counts the work; null for no limits
   * @throws LimitExceeded if a limit is exceeded
   */
  public <T> T metered(UsageMeter meter, Function<ScriptContext, T> work) {
    ScriptContext context = new ScriptContext(this, meter);
    enterContext(context);
    try {
      return work.apply(context);
    } finally {
      Context.exit();
    }
  }

  @Override
  protected boolean hasFeature(Context context, int feature) {
    return switch (feature) {
      // Realms define an accessor __proto__ like that of Node.js; __parent__ would expose scopes.
      case Context.FEATURE_PARENT_PROTO_PROPERTIES, Context.FEATURE_E4X -> false;
      case Context.FEATURE_LITTLE_ENDIAN -> true;
      default -> super.hasFeature(context, feature);
    };
  }
}
