package io.tokenvault.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The request that all are given: 1 KB of JSON with an expression for one token, and the keys that
 * the vault needs.
 *
 * @param delivered the length of the body once the vault has replaced the expression
 */
record ProxiedRequest(Map<String, String> headers, String body, int delivered) {

  static final int LENGTH = 1024;
  private static final String CARD = "4242424242424242";

  /** Makes what it needs in the vault: an application, a token and a proxy. */
  static ProxiedRequest prepare(VaultUnderTest vault, Destination destination) {
    Map<String, Object> proxy = new LinkedHashMap<>();
    proxy.put("name", "benchmark");
    proxy.put("destination_url", destination.url());
    return prepare(vault, proxy);
  }

  private static ProxiedRequest prepare(VaultUnderTest vault, Map<String, Object> proxy) {
    String key = vault.privateKey("token:create", "token:use");
    String token =
        vault
            .as(key)
            .post("/tokens", Map.of("type", "card_number", "data", CARD))
            .path("id")
            .asText();
    String proxyKey = vault.management().post("/proxies", proxy).path("key").asText();
    String expression = "{{" + token + "}}";
    String body = body("{\"amount\": 1234, \"card\": \"" + expression + "\", \"note\": \"");
    return new ProxiedRequest(
        headers(key, proxyKey), body, body.length() - expression.length() + CARD.length());
  }

  private static Map<String, String> headers(String key, String proxyKey) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/json");
    headers.put("SVC-API-KEY", key);
    headers.put("SVC-PROXY-KEY", proxyKey);
    return headers;
  }

  private static String body(String beginning) {
    String end = "\"}";
    return beginning + "x".repeat(LENGTH - beginning.length() - end.length()) + end;
  }

  /** Sends it once and looks whether the destination got as much as it should have. */
  void check(String url, int expectedLength) {
    Map<String, String> others = new LinkedHashMap<>(headers);
    others.remove("Content-Type");
    String answer = new Api(url, others).postText("/proxy/charges", body);
    if (!answer.startsWith(Destination.expected(expectedLength))) {
      throw new IllegalStateException(List.of(url, expectedLength, answer).toString());
    }
  }
}
