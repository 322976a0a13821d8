package io.tokenvault.domain.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects what is wrong with a request, so that all of it can be returned at once, up to {@link
 * #MAX_MESSAGES}. Messages say what would be right and never repeat sensitive input; names are
 * shown as {@link ShownName}. Not safe for use by several threads.
 */
public final class Violations {

  /** The path of what belongs to no property. */
  public static final String WHOLE_REQUEST = "error";

  /** How many messages are collected. Who checks many things stops when it {@link #isFull()}. */
  public static final int MAX_MESSAGES = 100;

  private static final String STOPPED =
      "checking stopped after " + MAX_MESSAGES + " violations; there may be more";

  private final Map<String, List<String>> messages = new LinkedHashMap<>();
  private final Set<String> settled = new HashSet<>();
  private int count;
  private boolean isFull;

  /** Adds a message, unless it is known, or as many as are returned are. */
  public Violations add(String path, String message) {
    if (isFull || settled.contains(path)) {
      return this;
    }
    List<String> known = messages.computeIfAbsent(path, unused -> new ArrayList<>());
    if (!known.contains(message)) {
      known.add(message);
      count++;
      isFull = count == MAX_MESSAGES;
    }
    return this;
  }

  /** Returns whether nothing more is collected, so that nothing more needs to be checked. */
  public boolean isFull() {
    return isFull;
  }

  /**
   * Notes something that leaves nothing more to say about a path, such as a wrong type: whatever is
   * added there later is dropped.
   */
  public Violations settle(String path, String message) {
    if (!isFull) {
      add(path, message);
      settled.add(path);
    }
    return this;
  }

  /** Returns whether a path was {@linkplain #settle settled}. */
  public boolean isSettled(String path) {
    return settled.contains(path);
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
    isFull |= part.isFull;
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

  /** Returns the messages by path, with one more that says so if checking stopped early. */
  public Map<String, List<String>> asMap() {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    messages.forEach((path, found) -> copy.put(path, List.copyOf(found)));
    if (isFull) {
      List<String> whole = new ArrayList<>(copy.getOrDefault(WHOLE_REQUEST, List.of()));
      whole.add(STOPPED);
      copy.put(WHOLE_REQUEST, List.copyOf(whole));
    }
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
