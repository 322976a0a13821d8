package io.tokenvault.engine.worker.compile;

import io.tokenvault.engine.worker.realm.AsyncFunctions;
import io.tokenvault.engine.worker.realm.EngineCorrections;
import io.tokenvault.engine.worker.realm.GlobalObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mozilla.javascript.BaseFunction;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;

/** Runs compiled scripts in a realm with only error classes, corrections and helpers. */
final class CompiledScriptRunner {
  private static final Pattern FRAME = Pattern.compile("script:(\\d+)");

  private CompiledScriptRunner() {}

  static String resource(String name) {
    return ScriptResources.text(CompiledScriptRunner.class, name);
  }

  /** Runs the driver, with the script as {@code body}, and microtasks; returns {@code out}. */
  static String run(String code, String driver, List<String> mismatches) {
    try (Context context = Context.enter()) {
      context.setLanguageVersion(Context.VERSION_ES6);
      context.setInterpretedMode(true);
      GlobalObject realm = new GlobalObject();
      context.initSafeStandardObjects(realm);
      new EngineCorrections(context).install(realm);
      ScriptableObject.putProperty(realm, "L", new LineCheck(mismatches, LineTable.of(code)));
      String wrapped = "(function (exports, require, module) {" + code + "\n})";
      Scriptable programs = new AsyncFunctions(realm).scope();
      Object body = context.evaluateString(programs, wrapped, "script", 1, null);
      ScriptableObject.putProperty(realm, "body", body);
      context.evaluateString(realm, driver, "driver", 1, null);
      context.processMicrotasks();
      return Context.toString(ScriptableObject.getProperty(realm, "out"));
    }
  }

  /** {@code L(n)} records the line from which it is called, unless that is line n. */
  private static final class LineCheck extends BaseFunction {
    private static final long serialVersionUID = 1L;

    private final transient List<String> mismatches;
    private final transient LineTable lines;

    LineCheck(List<String> mismatches, LineTable lines) {
      this.mismatches = mismatches;
      this.lines = lines;
    }

    @Override
    public Object call(Context context, Scriptable scope, Scriptable self, Object[] arguments) {
      int line = (int) Context.toNumber(arguments[0]);
      Matcher frame = FRAME.matcher(new EvaluatorException("").getScriptStackTrace());
      int reported = frame.find() ? lines.source(Integer.parseInt(frame.group(1))) : 0;
      if (reported != line) {
        mismatches.add(line + " as " + reported);
      }
      return 0;
    }
  }

  /** Returns the name and code of each snippet, which starts with a {@code //// name} line. */
  static List<String[]> snippets(String name) {
    List<String[]> snippets = new ArrayList<>();
    for (String part : resource(name).split("(?m)^//// ")) {
      int line = part.indexOf('\n');
      if (line > 0) {
        snippets.add(new String[] {part.substring(0, line), part.substring(line + 1)});
      }
    }
    return snippets;
  }
}
