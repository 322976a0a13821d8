package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.Node;
import io.tokenvault.engine.worker.compile.ScriptResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** A script of checks that runs in Rhino and in Node.js. */
final class ConformanceScript {
  private final String name;

  ConformanceScript(String name) {
    this.name = name;
  }

  /** Runs the checks in Rhino and returns a line for each. */
  List<String> runInRhino() {
    return evaluate("report()").lines().toList();
  }

  List<String> recordedResults() {
    return resource(name + ".json").lines().toList();
  }

  /** Runs the checks in Node.js and returns a line for each. */
  List<String> runInNode() {
    return node(source() + "\nprocess.stdout.write(report());").lines().toList();
  }

  /** Returns the value of an expression in Rhino, as JSON, after the script. */
  String evaluateInRhino(String expression) {
    return evaluate("JSON.stringify(" + expression + ")");
  }

  /** Returns the value of an expression in Node.js, as JSON, after the script. */
  String evaluateInNode(String expression) {
    return node(source() + "\nprocess.stdout.write(JSON.stringify(" + expression + "));");
  }

  /** Runs the script as the body of a function, as transforms are run. */
  private String evaluate(String expression) {
    String script = "(function () {" + source() + "\nreturn " + expression + ";\n})()";
    return new TestRealm().run(script).toString();
  }

  private static String node(String script) {
    try {
      return Node.run(Map.of(), script, "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String source() {
    return resource("prelude.js") + resource(name + ".js");
  }

  private static String resource(String file) {
    return ScriptResources.text(ConformanceScript.class, file);
  }
}
