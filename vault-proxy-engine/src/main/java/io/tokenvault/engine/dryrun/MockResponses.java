package io.tokenvault.engine.dryrun;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What stands for everything that transforms ask for. For one dry run, which uses it up. */
public final class MockResponses {

  /** What {@code bt} has. */
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
   * @param results by operation: a list of results in order, or the result of every call
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

  static MockResponses none(JsonCodec json) {
    return new MockResponses(json, List.of(), Map.of());
  }

  /**
   * An answer to be fetched.
   *
   * @param method empty for any
   */
  record Fetched(String url, Optional<String> method, int status, SampleMessage message) {

    boolean answers(String wantedUrl, String wantedMethod) {
      return url.equals(wantedUrl)
          && method.map(each -> each.equalsIgnoreCase(wantedMethod)).orElse(true);
    }
  }

  /** The next result of an operation, as JSON; empty if there is none. */
  public synchronized Optional<String> call(String operation) {
    Optional<JsonValue> next = Optional.ofNullable(inOrder.get(operation)).map(Deque::poll);
    return next.or(() -> Optional.ofNullable(always.get(operation)))
        .map(result -> new String(json.write(result), StandardCharsets.UTF_8));
  }

  /**
   * The answer to a fetch, as JSON; empty if there is none. Of several the first is used up, and
   * the last stays.
   */
  public synchronized Optional<String> fetch(String url, String method) {
    List<Fetched> fitting = fetched.stream().filter(each -> each.answers(url, method)).toList();
    if (fitting.size() > 1) {
      fetched.remove(fitting.get(0));
    }
    return fitting.stream().findFirst().map(each -> reply(url, each));
  }

  private static String reply(String url, Fetched answer) {
    ObjectNode reply = Json.object();
    reply.put("status", answer.status()).put("url", url);
    ArrayNode pairs = reply.putArray("headers");
    answer.message().headers().forEach(each -> pairs.addArray().add(each.name()).add(each.value()));
    reply.put("body", Base64.getEncoder().encodeToString(answer.message().bytes()));
    return Json.write(reply);
  }

  /** Nothing: it can be secret. */
  @Override
  public String toString() {
    return "Mocks[redacted]";
  }
}
