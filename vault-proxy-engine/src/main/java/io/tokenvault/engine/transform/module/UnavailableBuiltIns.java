package io.tokenvault.engine.transform.module;

import io.tokenvault.engine.worker.compile.BuiltInModules;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

  /** The value of the AWS SDK for what a variant lacks, which modules for Node.js call. */
  private static final Pattern NODE_ONLY = Pattern.compile("Symbol\\.for\\([\"']node-only[\"']\\)");

  /** Uses of what only a page in a browser has, with the tests whether it exists. */
  private static final Map<Pattern, Pattern> PAGE_USES =
      Map.of(
          Pattern.compile("\\b(?:window|document)\\."),
          Pattern.compile("\\btypeof (?:window|document)\\b"),
          Pattern.compile("\\bXMLHttpRequest\\b"),
          Pattern.compile("\\btypeof XMLHttpRequest\\b"));

  private final ModuleFiles files;
  private final Map<String, SourceFacts> known = new ConcurrentHashMap<>();

  UnavailableBuiltIns(ModuleFiles files) {
    this.files = files;
  }

  /**
   * The properties of a module's source that matter here.
   *
   * @param required the modules of its package that it requires, without regard to variants for
   *     browsers, whose choice depends on this
   */
  private record SourceFacts(boolean requiresOne, boolean usesPage, List<String> required) {}

  /** Returns whether a module requires one of them. */
  boolean areRequiredBy(String id) {
    return isReached(id, SourceFacts::requiresOne);
  }

  /**
   * Returns whether a variant for browsers uses the page without a test for it, or lacks what
   * modules for Node.js use: the other variant does at least load.
   */
  boolean needsPage(String id) {
    return isReached(id, SourceFacts::usesPage);
  }

  /**
   * Searches a module and those that it requires of its package. Only the facts of single sources
   * are cached: modules can require each other in a cycle, whose results would depend on where the
   * search began.
   */
  private boolean isReached(String id, Predicate<SourceFacts> wanted) {
    Set<String> seen = new HashSet<>(Set.of(id));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      SourceFacts facts = known.computeIfAbsent(open.remove(), this::read);
      if (wanted.test(facts)) {
        return true;
      }
      facts.required().stream().filter(seen::add).forEach(open::add);
    }
    return false;
  }

  private SourceFacts read(String id) {
    String source = id.endsWith("js") ? files.sourceOrNothing(id) : "";
    List<String> required =
        requiredNames(source)
            .filter(ModulePaths::isRelative)
            .flatMap(name -> files.relative(id, name).stream())
            .distinct()
            .toList();
    return new SourceFacts(requiresOne(source), usesPage(source), required);
  }

  private static boolean requiresOne(String source) {
    return PROCESS_OF_GLOBAL.matcher(source).find()
        || requiredNames(source)
            .map(name -> name.startsWith("node:") ? name.substring("node:".length()) : name)
            .anyMatch(name -> FURTHER.contains(name) || BuiltInModules.UNAVAILABLE.contains(name));
  }

  /** Returns the names that a source requires or imports. */
  private static Stream<String> requiredNames(String source) {
    return REQUIRE
        .matcher(source)
        .results()
        .map(call -> call.group(1) == null ? call.group(2) : call.group(1));
  }

  private static boolean usesPage(String source) {
    return NODE_ONLY.matcher(source).find()
        || PAGE_USES.entrySet().stream()
            .anyMatch(
                each ->
                    each.getKey().matcher(source).find()
                        && !each.getValue().matcher(source).find());
  }
}
