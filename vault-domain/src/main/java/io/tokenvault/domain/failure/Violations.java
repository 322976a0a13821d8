package io.tokenvault.domain.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Collects the violations of a request, so that all of them can be returned at once, up to {@link
 * #MAX_MESSAGES}.
 *
 * <p>Messages state what is expected and never repeat sensitive input; names are formatted by
 * {@link ShownName}. Not thread-safe.
 */
public final class Violations {

  /** The path of violations that concern no single property. */
  public static final String WHOLE_REQUEST = "error";

  /** The maximum number of messages. Code that checks many values stops when {@link #isFull()}. */
  public static final int MAX_MESSAGES = 100;

  private static final String STOPPED =
      "checking stopped after " + MAX_MESSAGES + " violations; there may be more";

  private final Map<String, List<String>> messages = new LinkedHashMap<>();
  private final Set<String> settled = new HashSet<>();
  private int count;
  private boolean isFull;

  /**
   * Adds a message unless it is a duplicate, its path is settled, or the maximum number is reached.
   */
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

  /**
   * Checks a required property: adds one message if it is null, and another one unless it is valid.
   *
   * @param message what is expected of the value; called only if it is not null and invalid
   */
  public <T> void checkRequired(
      String path, T value, Predicate<T> isValid, Function<T, String> message) {
    if (value == null) {
      add(path, "is required");
    } else if (!isValid.test(value)) {
      add(path, message.apply(value));
    }
  }

  /** Returns whether no more messages are collected, so that no more checks are needed. */
  public boolean isFull() {
    return isFull;
  }

  /**
   * Adds a message that makes others at its path pointless, such as one about a wrong type. Later
   * messages for the path are dropped.
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

  /** Adds the violations of another check of the whole request. */
  public Violations addAll(Violations others) {
    return addAll("", others);
  }

  /**
   * Adds the violations of a part of the request.
   *
   * @param prefix the path of the part; empty for the whole request
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

  /** Returns the messages by path. If checking stopped early, one more message states that. */
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

  /** Returns a value that is valid without violations; empty if there are any. */
  public <T> Optional<T> ifNone(Supplier<T> valid) {
    return isEmpty() ? Optional.of(valid.get()) : Optional.empty();
  }

  /**
   * Returns a parsed value.
   *
   * @throws ValidationException if it is empty or any message was added
   */
  public <T> T require(Optional<T> parsed) {
    throwIfAny();
    return parsed.orElseThrow(() -> new ValidationException(this));
  }

  /**
   * Throws if there are violations.
   *
   * @throws ValidationException if any message was added
   */
  public void throwIfAny() {
    if (!isEmpty()) {
      throw new ValidationException(this);
    }
  }
}
