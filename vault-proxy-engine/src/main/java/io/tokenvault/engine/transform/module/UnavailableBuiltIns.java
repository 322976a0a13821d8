package io.tokenvault.engine.transform.module;

import io.tokenvault.engine.worker.compile.BuiltInModules;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides whether a module requires built-in modules of Node.js that transforms lack or cannot use,
 * or the page of a browser, itself or through other modules of its package.
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
  private final Map<String, Boolean> requiring = new HashMap<>();

  private final Map<String, Boolean> needingPage = new HashMap<>();

  UnavailableBuiltIns(ModuleFiles files) {
    this.files = files;
  }

  /** Returns whether a module requires one of them. */
  synchronized boolean areRequiredBy(String id) {
    return decide(requiring, id, UnavailableBuiltIns::requiresOne);
  }

  /**
   * Returns whether a variant for browsers uses the page without a test for it: the other variant
   * does at least load.
   */
  synchronized boolean needsPage(String id) {
    return decide(needingPage, id, UnavailableBuiltIns::usesPage);
  }

  /** Decides by the source of a module and of those that it requires of its package. */
  private boolean decide(Map<String, Boolean> decisions, String id, Predicate<String> isFoundIn) {
    Boolean known = decisions.get(id);
    if (known != null) {
      return known;
    }
    // In a cycle the module does not count.
    decisions.put(id, false);
    boolean found = id.endsWith("js") && search(decisions, id, isFoundIn);
    decisions.put(id, found);
    return found;
  }

  private boolean search(Map<String, Boolean> decisions, String id, Predicate<String> isFoundIn) {
    String source = files.sourceOrNothing(id);
    return isFoundIn.test(source)
        || required(source)
            .filter(ModulePaths::isRelative)
            .distinct()
            .flatMap(name -> files.resolve(id, name).stream())
            .anyMatch(module -> decide(decisions, module, isFoundIn));
  }

  private static boolean requiresOne(String source) {
    return PROCESS_OF_GLOBAL.matcher(source).find()
        || required(source)
            .map(name -> name.startsWith("node:") ? name.substring("node:".length()) : name)
            .anyMatch(name -> FURTHER.contains(name) || BuiltInModules.UNAVAILABLE.contains(name));
  }

  /** Returns the names that a source requires or imports. */
  private static Stream<String> required(String source) {
    return REQUIRE
        .matcher(source)
        .results()
        .map(call -> call.group(1) == null ? call.group(2) : call.group(1));
  }

  private static boolean usesPage(String source) {
    return PAGE_USES.entrySet().stream()
        .anyMatch(
            each ->
                each.getKey().matcher(source).find() && !each.getValue().matcher(source).find());
  }
}
