package io.tokenvault.engine.worker;

import java.util.function.Function;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.StackStyle;

/** Makes contexts that differ from Node.js as little as Rhino's switches allow. */
final class ScriptContexts extends ContextFactory {

  ScriptContexts() {
    RhinoException.setStackStyle(StackStyle.V8);
  }

  /** Does our own work, without limits. */
  <T> T unmetered(Function<ScriptContext, T> work) {
    return metered(null, work);
  }

  /** Does work for a script. */
  <T> T metered(Meter meter, Function<ScriptContext, T> work) {
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
