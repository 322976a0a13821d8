package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.worker.node.buffer.BufferModule;
import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.crypto.CryptoModule;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.RuntimeScripts;
import io.tokenvault.engine.worker.node.script.RuntimeScripts.RealmModules;
import io.tokenvault.engine.worker.node.script.ScriptHost;
import java.security.SecureRandom;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ContextFactory;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** Runs scripts interpreted, as a worker does, each in a new realm. */
final class TestRealm {
  private static final ContextFactory CONTEXTS = new LittleEndianContexts();
  private static final RuntimeScripts SCRIPTS = RuntimeScripts.parse();

  private final RandomGenerator random;
  private final LongConsumer meter;

  TestRealm() {
    this(units -> {});
  }

  TestRealm(LongConsumer meter) {
    this(new SecureRandom(), meter);
  }

  TestRealm(RandomGenerator random, LongConsumer meter) {
    this.random = random;
    this.meter = meter;
  }

  /** Returns a copy of the bytes of a value, as the server receives them; null if it has none. */
  static byte[] bytes(Object value) {
    ByteView view = ByteView.of(value);
    return view == null ? null : view.copy();
  }

  Object run(String script) {
    return with(realm -> realm.run(script));
  }

  <T> T with(Function<OpenRealm, T> use) {
    return CONTEXTS.call(cx -> use.apply(new OpenRealm(cx, random, meter)));
  }

  /** A realm while its context is open. */
  static final class OpenRealm {
    final Context cx;
    final ScriptableObject global;

    private OpenRealm(Context cx, RandomGenerator random, LongConsumer meter) {
      this.cx = cx;
      cx.setInterpretedMode(true);
      cx.setLanguageVersion(Context.VERSION_ES6);
      cx.setClassShutter(name -> false);
      this.global = cx.initSafeStandardObjects();
      RealmModules.define(global, SCRIPTS, new ScriptHost(global, () -> null, meter));
      NodeSurface.defineBytes(global, random, meter);
      LambdaFunction require =
          new LambdaFunction(
              global,
              "require",
              1,
              (context, scope, self, args) -> required(scope, ScriptRuntime.toString(args[0])),
              false);
      global.put("require", global, require);
    }

    private static Object required(Scriptable scope, String module) {
      ByteRealm realm = ByteRealm.of(ScriptableObject.getTopLevelScope(scope));
      return module.equals("crypto") ? CryptoModule.in(realm) : BufferModule.in(realm);
    }

    Object run(String script) {
      Object result = cx.evaluateString(global, script, "script.js", 1, null);
      cx.processMicrotasks();
      return result;
    }
  }

  /** Makes typed arrays little-endian, as in Node.js. */
  private static final class LittleEndianContexts extends ContextFactory {
    @Override
    protected boolean hasFeature(Context cx, int feature) {
      return feature == Context.FEATURE_LITTLE_ENDIAN || super.hasFeature(cx, feature);
    }
  }
}
