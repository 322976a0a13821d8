package io.tokenvault.engine.worker.compile;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names by which {@code require} gives what every worker has. */
final class BuiltIns {

  private static final List<String> OF_NODE =
      List.of("crypto", "buffer", "querystring", "url", "util", "events", "timers", "console");

  private BuiltIns() {}

  /**
   * @param errorModules further names of {@code vault-errors}
   */
  static Set<String> names(List<String> errorModules) {
    Set<String> names = new LinkedHashSet<>(errorModules);
    names.add("vault-errors");
    for (String name : OF_NODE) {
      names.add(name);
      names.add("node:" + name);
    }
    return names;
  }
}
