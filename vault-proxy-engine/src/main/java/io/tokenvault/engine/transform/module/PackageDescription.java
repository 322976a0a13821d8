package io.tokenvault.engine.transform.module;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.engine.transform.content.UnusableContentException;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The fields of a {@code package.json} by which Node.js and bundlers resolve names.
 *
 * <p>Targets of {@code exports} and {@code imports} are conditional: the first condition of an
 * object that is one of the given conditions, or {@code default}, decides. Immutable.
 */
record PackageDescription(JsonNode content) {

  /** The conditions of targets for Node.js, and of those for browsers. */
  static final String NODE = "node";

  static final String BROWSER = "browser";

  /** A target that leads to no module. */
  private static final JsonNode NOTHING = MissingNode.getInstance();

  /** Orders the patterns that match a key; the last one decides. */
  private static final Comparator<String> BY_START_AND_LENGTH =
      Comparator.comparingInt((String pattern) -> pattern.indexOf('*'))
          .thenComparing(String::length);

  /** Parses a description; a malformed one has no fields. */
  static PackageDescription parse(String json) {
    try {
      return new PackageDescription(Json.read(json));
    } catch (UnusableContentException malformed) {
      return new PackageDescription(NOTHING);
    }
  }

  Optional<String> name() {
    return text(content.path("name"));
  }

  Optional<String> main() {
    return text(content.path("main"));
  }

  /** Returns whether files that end in {@code .js} are ES modules. */
  boolean hasEsModules() {
    return "module".equals(content.path("type").textValue());
  }

  boolean hasExports() {
    return content.has("exports") && !content.path("exports").isNull();
  }

  /**
   * Returns the file for a subpath of the package.
   *
   * @param subpath {@code "."} or a path such as {@code "./sub"}
   * @param environment {@link #NODE} or {@link #BROWSER}
   * @param byEsModule whether an ES module imports it
   * @return the path that {@code exports} names, such as {@code "./lib/sub.js"}
   */
  Optional<String> exported(String subpath, String environment, boolean byEsModule) {
    return firstOf(environment, byEsModule, conditions -> exported(subpath, conditions));
  }

  private Optional<String> exported(String subpath, Set<String> conditions) {
    JsonNode exports = content.path("exports");
    boolean hasSubpaths =
        exports.isObject()
            && exports.fieldNames().hasNext()
            && exports.fieldNames().next().startsWith(".");
    if (hasSubpaths) {
      return mapped(exports, subpath, conditions);
    }
    return subpath.equals(".") ? target(exports, "", conditions) : Optional.empty();
  }

  /**
   * Returns the target of an internal name of the package.
   *
   * @param name a name that begins with {@code #}
   * @return a path in the package, or the name of another package
   */
  Optional<String> imported(String name, boolean byEsModule) {
    return firstOf(
        NODE, byEsModule, conditions -> mapped(content.path("imports"), name, conditions));
  }

  /**
   * Returns the first target that conditions find: a CommonJS module gets ES modules only where a
   * package has nothing else, and an ES module the reverse.
   */
  private static Optional<String> firstOf(
      String environment, boolean byEsModule, Function<Set<String>, Optional<String>> target) {
    Set<String> commonJs = Set.of(environment, "require");
    Set<String> esModules = Set.of(environment, "import", "module-sync");
    return (byEsModule ? Stream.of(esModules, commonJs) : Stream.of(commonJs, esModules))
        .map(target)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Returns the file that replaces the main module in browsers. */
  Optional<String> browserMain() {
    return text(content.path("browser"));
  }

  /**
   * Returns the replacement of a file or package in browsers: another one, or {@code "false"} for
   * an empty module.
   *
   * @param key a path such as {@code "./lib/node.js"}, or the name of a package
   */
  Optional<String> browserReplacement(String key) {
    JsonNode value = content.path("browser").path(key);
    return value.isBoolean() && !value.booleanValue() ? Optional.of("false") : text(value);
  }

  boolean hasBrowser() {
    return content.has("browser") || content.path("exports").toString().contains("\"browser\"");
  }

  private static Optional<String> text(JsonNode node) {
    return node.isTextual() ? Optional.of(node.textValue()) : Optional.empty();
  }

  /** Finds the entry for a key: the exact one, or the pattern with the longest start. */
  private static Optional<String> mapped(JsonNode map, String key, Set<String> conditions) {
    if (map.has(key) && !key.contains("*")) {
      return target(map.get(key), "", conditions);
    }
    Optional<String> best =
        map.properties().stream()
            .map(Map.Entry::getKey)
            .filter(pattern -> matches(pattern, key))
            .max(BY_START_AND_LENGTH);
    if (best.isEmpty()) {
      return Optional.empty();
    }
    String pattern = best.get();
    int star = pattern.indexOf('*');
    String matched = key.substring(star, key.length() - (pattern.length() - star - 1));
    return target(map.get(pattern), matched, conditions);
  }

  private static boolean matches(String pattern, String key) {
    int star = pattern.indexOf('*');
    return star >= 0
        && key.length() >= pattern.length()
        && key.startsWith(pattern.substring(0, star))
        && key.endsWith(pattern.substring(star + 1));
  }

  /** Returns the target that applies, with the matched part of a pattern filled in. */
  private static Optional<String> target(JsonNode node, String matched, Set<String> conditions) {
    if (node.isTextual()) {
      return Optional.of(node.textValue().replace("*", matched));
    }
    if (node.isArray()) {
      for (JsonNode each : node) {
        Optional<String> found = target(each, matched, conditions);
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (conditions.contains(field.getKey()) || field.getKey().equals("default")) {
        if (field.getValue().isNull()) {
          return Optional.empty();
        }
        Optional<String> found = target(field.getValue(), matched, conditions);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }
}
