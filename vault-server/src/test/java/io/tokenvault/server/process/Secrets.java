package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tokens of an application, made at different times, and all that has to stay true of them. */
final class Secrets {

  private final TwoNodes nodes;
  private final JsonNode owner;
  private final Map<String, String> idByData = new LinkedHashMap<>();

  Secrets(TwoNodes nodes, JsonNode owner) {
    this.nodes = nodes;
    this.owner = owner;
  }

  /** Makes a token that is found by its data. */
  void add(String data) {
    HttpResponse<String> created = post(nodes.onFirst(owner), data);
    assertThat(created.statusCode()).as("%s", created.body()).isEqualTo(201);
    idByData.put(data, Http.json(created.body()).path("id").asText());
  }

  /** Asks for a token, or for the one that there is. */
  static HttpResponse<String> post(Http http, String data) {
    return http.post(
        "/tokens",
        "{\"type\":\"token\",\"data\":\""
            + data
            + "\",\"deduplicate_token\":true,\"search_indexes\":[\"{{ data }}\"]}");
  }

  List<String> ids() {
    return List.copyOf(idByData.values());
  }

  /** Every node reads each token, finds it by its data, and gives it instead of another one. */
  void assertAllThere() {
    for (Http http : nodes.onBoth(owner)) {
      idByData.forEach(
          (data, id) -> {
            HttpResponse<String> read = http.get("/tokens/" + id);
            assertThat(read.statusCode()).as("%s", read.body()).isEqualTo(200);
            assertThat(Http.json(read.body()).path("data").asText()).isEqualTo(data);
            assertThat(found(http, data)).containsExactly(id);
            HttpResponse<String> same = post(http, data);
            assertThat(same.statusCode()).as("%s", same.body()).isEqualTo(200);
            assertThat(Http.json(same.body()).path("id").asText()).isEqualTo(id);
          });
    }
  }

  private static List<String> found(Http http, String data) {
    HttpResponse<String> answer = http.post("/tokens/search", "{\"query\":\"data:" + data + "\"}");
    assertThat(answer.statusCode()).as("%s", answer.body()).isEqualTo(200);
    return Http.json(answer.body()).path("data").findValuesAsText("id");
  }
}
