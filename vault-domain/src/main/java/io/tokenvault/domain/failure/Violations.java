package io.tokenvault.domain.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects what is wrong with a request, so that all of it can be told at once. Messages say what
 * would be right and never repeat the value. Not safe for use by several threads.
 */
public final class Violations {

  /** The path of what belongs to no property. */
  public static final String WHOLE_REQUEST = "error";

  private final Map<String, List<String>> messages = new LinkedHashMap<>();
  private final Set<String> settled = new HashSet<>();

  public Violations add(String path, String message) {
    if (settled.contains(path)) {
      return this;
    }
    List<String> known = messages.computeIfAbsent(path, unused -> new ArrayList<>());
    if (!known.contains(message)) {
      known.add(message);
    }
    return this;
  }

  /**
   * Notes something that leaves nothing more to say about a path, such as a wrong type: whatever is
   * added there later is dropped.
   */
  public Violations settle(String path, String message) {
    add(path, message);
    settled.add(path);
    return this;
  }

  public Violations addAll(Violations others) {
    return addAll("", others);
  }

  /**
   * Adds what was found in a part of the request.
   *
   * @param prefix the part's path; empty for the whole
   */
  public Violations addAll(String prefix, Violations part) {
    part.messages.forEach(
        (path, found) -> found.forEach(message -> add(join(prefix, path), message)));
    part.settled.forEach(path -> settled.add(join(prefix, path)));
    return this;
  }

  private static String join(String prefix, String path) {
    if (prefix.isEmpty()) {
      return path;
    }
    if (path.equals(WHOLE_REQUEST)) {
      return prefix;
    }
    return path.startsWith("[") ? prefix + path : prefix + "." + path;
  }

  public boolean isEmpty() {
    return messages.isEmpty();
  }

  public Map<String, List<String>> asMap() {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    messages.forEach((path, found) -> copy.put(path, List.copyOf(found)));
    return Collections.unmodifiableMap(copy);
  }

  /**
   * @throws ValidationException if anything was added
   */
  public void throwIfAny() {
    if (!isEmpty()) {
      throw new ValidationException(this);
    }
  }
}
