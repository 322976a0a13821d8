package io.tokenvault.engine.worker.realm;

import java.util.function.Function;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.StackStyle;

/** Makes contexts that differ from Node.js as little as Rhino's switches allow. */
public final class ScriptContextFactory extends ContextFactory {

  public ScriptContextFactory() {
    RhinoException.setStackStyle(StackStyle.V8);
  }

  /** Does our own work, without limits. */
  public <T> T unmetered(Function<ScriptContext, T> work) {
    return metered(null, work);
  }

  /** Does work for a script. */
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
      // A realm has an accessor __proto__ as Node.js has it; __parent__ would open scopes.
      case Context.FEATURE_PARENT_PROTO_PROPERTIES, Context.FEATURE_E4X -> false;
      case Context.FEATURE_LITTLE_ENDIAN -> true;
      default -> super.hasFeature(context, feature);
    };
  }
}
