package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.engine.transform.TransformFetch;
import io.tokenvault.engine.transform.Transforms.HttpMessage;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Responses to the fetches and client calls of transforms. An instance serves one dry run, which
 * consumes lists of results in order.
 */
public final class MockResponses {

  /** Operations of the client {@code bt}, without its name. */
  public static final Set<String> OPERATIONS =
      Set.of(
          "tokenize",
          "detokenize",
          "tokens.create",
          "tokens.retrieve",
          "tokens.update",
          "tokens.delete",
          "tokens.list",
          "permissions.list");

  private final JsonCodec json;
  private final List<Fetched> fetched;
  private final Map<String, JsonValue> always = new HashMap<>();
  private final Map<String, Deque<JsonValue>> inOrder = new HashMap<>();

  /**
   * Creates mocks.
   *
   * @param results by operation: an array of results in order, or the result of every call
   */
  MockResponses(JsonCodec json, List<Fetched> fetched, Map<String, JsonValue> results) {
    this.json = json;
    this.fetched = new ArrayList<>(fetched);
    results.forEach(
        (operation, result) -> {
          if (result instanceof JsonArray list) {
            inOrder.put(operation, new ArrayDeque<>(list.items()));
          } else {
            always.put(operation, result);
          }
        });
  }

  /** Returns mocks that have no response for anything. */
  static MockResponses none(JsonCodec json) {
    return new MockResponses(json, List.of(), Map.of());
  }

  /**
   * A response to a fetch.
   *
   * @param url must be identical to the fetched URL
   * @param method empty for any method
   */
  record Fetched(String url, Optional<String> method, int status, HttpMessage message) {

    /** Returns whether this is a response to such a fetch. */
    boolean matches(String wantedUrl, String wantedMethod) {
      return url.equals(wantedUrl)
          && method.map(each -> each.equalsIgnoreCase(wantedMethod)).orElse(true);
    }
  }

  /** Returns the next result of an operation, as JSON; empty if there is none. */
  public synchronized Optional<String> call(String operation) {
    Optional<JsonValue> next = Optional.ofNullable(inOrder.get(operation)).map(Deque::poll);
    return next.or(() -> Optional.ofNullable(always.get(operation)))
        .map(result -> new String(json.write(result), StandardCharsets.UTF_8));
  }

  /**
   * Returns the response to a fetch, as JSON; empty if there is none. If several match, the first
   * is consumed; the last one stays.
   */
  public synchronized Optional<String> fetch(String url, String method) {
    List<Fetched> fitting = fetched.stream().filter(each -> each.matches(url, method)).toList();
    if (fitting.size() > 1) {
      fetched.remove(fitting.get(0));
    }
    return fitting.stream()
        .findFirst()
        .map(
            each ->
                TransformFetch.writeReply(
                    url, each.status(), each.message().headers(), each.message().bytes()));
  }

  /** Returns a fixed text: results can be secret. */
  @Override
  public String toString() {
    return "MockResponses[redacted]";
  }
}
