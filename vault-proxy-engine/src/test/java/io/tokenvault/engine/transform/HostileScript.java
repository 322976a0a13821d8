package io.tokenvault.engine.transform;

import io.tokenvault.engine.TestSize;
import io.tokenvault.engine.worker.compile.ScriptResources;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A hostile function in a script. The line above it, {@code //= ...}, lists its expected endings.
 * It ends with {@code long} if the function is compiled and run in the long build only.
 *
 * @param file the file name without extension
 * @param name the name of the function
 */
record HostileScript(String file, String name, List<String> endings) {

  private static final Pattern ATTACK =
      Pattern.compile("^  //= (.+?)(?: long)?\\n  (?:async )?(\\w+)\\(", Pattern.MULTILINE);
  private static final Pattern LONG =
      Pattern.compile(
          "^  //= [^\\n]* long\\n.*?(?=^  //= |^};)|^//= long\\n.*?^};\\n",
          Pattern.MULTILINE | Pattern.DOTALL);

  static String source(String file) {
    String path = "/transforms/hostile/" + file + ".js";
    String all = ScriptResources.text(HostileScript.class, path);
    return TestSize.IS_FULL ? all : LONG.matcher(all).replaceAll("");
  }

  static List<HostileScript> of(String file) {
    List<HostileScript> scripts = new ArrayList<>();
    Matcher attack = ATTACK.matcher(source(file));
    while (attack.find()) {
      List<String> endings = List.of(attack.group(1).split(" \\| "));
      scripts.add(new HostileScript(file, attack.group(2), endings));
    }
    return scripts;
  }

  @Override
  public String toString() {
    return file + ": " + name;
  }
}
