package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.ApiClient;
import io.tokenvault.benchmark.program.Destination;
import io.tokenvault.benchmark.program.ProjectFiles;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.benchmark.program.WrkRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A request through a proxy.
 *
 * @param deliveredLength the length of the body with detokenized expressions
 */
record ProxiedRequest(WrkRequest wrkRequest, int deliveredLength) {

  /** The minimum length of a body. */
  static final int LENGTH = 1024;

  private static final String PATH = "/proxy/charges";
  private static final String CARD = "4242424242424242";

  /** An application and a proxy of a tenant. */
  record Caller(ApiClient api, String key, String proxyKey) {

    static Caller create(VaultUnderTest vault, ApiClient management, Map<String, Object> proxy) {
      String key = VaultUnderTest.createRevealingKey(management);
      String proxyKey = management.post("/proxies", proxy).path("key").asText();
      return new Caller(vault.clientWithKey(key), key, proxyKey);
    }

    String createToken() {
      return api.post("/tokens", Map.of("type", "card_number", "data", CARD)).path("id").asText();
    }

    Map<String, String> headers() {
      Map<String, String> headers = new LinkedHashMap<>();
      headers.put("Content-Type", "application/json");
      headers.put("SVC-API-KEY", key);
      headers.put("SVC-PROXY-KEY", proxyKey);
      return headers;
    }
  }

  static Map<String, Object> plainProxy(Destination destination) {
    return Map.of("name", "plain", "destination_url", destination.url());
  }

  /** Returns the JSON of a proxy with the reference transform. */
  static Map<String, Object> transformingProxy(Destination destination) {
    return Map.of(
        "name", "transforming",
        "destination_url", destination.url(),
        "configuration",
            Map.of("MERCHANT_ID", "m-1", "SECRET", "s3cr3t", "TIMESTAMP", "1700000000"),
        "request_transform", Map.of("code", ProjectFiles.referenceTransform("order.js")));
  }

  /** Creates tokens and returns a request with their expressions, of 1 KB or more. */
  static ProxiedRequest withTokens(Caller caller, int tokens) {
    List<String> expressions =
        IntStream.range(0, tokens).mapToObj(each -> "{{" + caller.createToken() + "}}").toList();
    String cards =
        expressions.stream().map(each -> "\"" + each + "\"").collect(Collectors.joining(","));
    String body = padded("{\"amount\": 1234, \"cards\": [" + cards + "], \"note\": \"");
    int removed = expressions.stream().mapToInt(each -> each.length() - CARD.length()).sum();
    return new ProxiedRequest(
        WrkRequest.post(PATH, caller.headers(), body), body.length() - removed);
  }

  private static String padded(String beginning) {
    String end = "\"}";
    return beginning + "x".repeat(Math.max(0, LENGTH - beginning.length() - end.length())) + end;
  }

  /** Returns the sample of the reference transform, 2 KB, with a token for the card number. */
  static WrkRequest orderWithToken(Caller caller) {
    String body =
        ProjectFiles.referenceTransform("order.json")
            .replace("\"4242 4242 4242 4242\"", "\"{{" + caller.createToken() + "}}\"");
    return WrkRequest.post(PATH, caller.headers(), body);
  }

  /** Sends the request once, and checks the length of the body that the destination received. */
  void checkDelivery(String url, int expectedLength) {
    String response = new ApiClient(url, wrkRequest.headers()).postText(PATH, wrkRequest.body());
    if (!response.startsWith(Destination.responseStart(expectedLength))) {
      throw new IllegalStateException(List.of(url, expectedLength, response).toString());
    }
  }
}
