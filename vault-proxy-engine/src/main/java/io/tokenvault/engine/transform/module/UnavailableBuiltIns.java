package io.tokenvault.engine.transform.module;

import io.tokenvault.engine.worker.compile.BuiltInModules;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides whether a module requires built-in modules of Node.js that transforms lack or cannot use,
 * itself or through other modules of its package.
 *
 * <p>The sources are searched for {@code require} calls and imports without parsing them: a wrong
 * guess only selects the other variant of a package. Thread-safe.
 */
final class UnavailableBuiltIns {

  /** Further modules: some can be loaded, but not used for sockets or terminals. */
  private static final Set<String> FURTHER = Set.of("http", "https", "repl", "tty");

  private static final Pattern REQUIRE =
      Pattern.compile(
          "\\b(?:require\\s*\\(|from\\b|import\\b)\\s*(?:'([^'\\n]+)'|\"([^\"\\n]+)\")");

  /** The global object of modules has no process, although they have a variable of that name. */
  private static final Pattern PROCESS_OF_GLOBAL =
      Pattern.compile("=\\s*(?:global|globalThis)\\.process\\s*(?:;|$)", Pattern.MULTILINE);

  /** Uses of what only a page in a browser has, with the tests whether it exists. */
  private static final Map<Pattern, Pattern> PAGE_USES =
      Map.of(
          Pattern.compile("\\b(?:window|document)\\."),
          Pattern.compile("\\btypeof (?:window|document)\\b"),
          Pattern.compile("\\bXMLHttpRequest\\b"),
          Pattern.compile("\\btypeof XMLHttpRequest\\b"));

  private final ModuleFiles files;

  /** The decisions by the id of the module. */
  private final Map<String, Boolean> known = new HashMap<>();

  UnavailableBuiltIns(ModuleFiles files) {
    this.files = files;
  }

  /** Returns whether a module requires one of them. */
  synchronized boolean areRequiredBy(String id) {
    Boolean before = known.get(id);
    if (before != null) {
      return before;
    }
    // In a cycle the module does not count.
    known.put(id, false);
    boolean required = id.endsWith("js") && search(id);
    known.put(id, required);
    return required;
  }

  private boolean search(String id) {
    Set<String> relative = new HashSet<>();
    String source = files.sourceOrNothing(id);
    if (PROCESS_OF_GLOBAL.matcher(source).find()) {
      return true;
    }
    Matcher calls = REQUIRE.matcher(source);
    while (calls.find()) {
      String name = calls.group(1) == null ? calls.group(2) : calls.group(1);
      String plain = name.startsWith("node:") ? name.substring("node:".length()) : name;
      if (FURTHER.contains(plain) || BuiltInModules.UNAVAILABLE.contains(plain)) {
        return true;
      }
      if (ModulePaths.isRelative(name)) {
        relative.add(name);
      }
    }
    for (String name : relative) {
      Optional<String> module = files.resolve(id, name);
      if (module.isPresent() && areRequiredBy(module.get())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether a variant for browsers uses the page without a test for it: the other variant
   * does at least load.
   */
  boolean needsPage(String id) {
    String source = files.sourceOrNothing(id);
    return PAGE_USES.entrySet().stream()
        .anyMatch(
            each ->
                each.getKey().matcher(source).find() && !each.getValue().matcher(source).find());
  }
}
