package io.tokenvault.engine.worker.node;

import io.tokenvault.engine.Node;
import io.tokenvault.engine.worker.compile.ScriptResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** A script of checks beside this class, to be run here and in Node.js. */
final class NodeScript {
  private final String name;

  NodeScript(String name) {
    this.name = name;
  }

  /** What it gave here, a line for each check. */
  List<String> resultsHere() {
    return here("report()").lines().toList();
  }

  /** What is committed beside it. */
  List<String> resultsKept() {
    return resource(name + ".json").lines().toList();
  }

  /** What it gives in Node.js. */
  List<String> resultsInNode() {
    return node(source() + "\nprocess.stdout.write(report());").lines().toList();
  }

  /** What an expression gives here after the script. */
  String resultsOf(String expression) {
    return here("JSON.stringify(" + expression + ")");
  }

  /** What an expression gives in Node.js after the script. */
  String resultsOfNode(String expression) {
    return node(source() + "\nprocess.stdout.write(JSON.stringify(" + expression + "));");
  }

  /** A script is the body of a function, as a transform is. */
  private String here(String expression) {
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
    return ScriptResources.text(NodeScript.class, file);
  }
}
