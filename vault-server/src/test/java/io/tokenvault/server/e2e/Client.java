package io.tokenvault.server.e2e;

import com.fasterxml.jackson.databind.JsonNode;

/** An application's holder, who sends its key with each request. */
final class Client {

  private final RunningVault vault;
  private final String id;
  private final String key;

  Client(RunningVault vault, String id, String key) {
    this.vault = vault;
    this.id = id;
    this.key = key;
  }

  /** From the answer that made the application. */
  static Client of(RunningVault vault, Answer created) {
    return new Client(vault, created.text("id"), created.text("key"));
  }

  /** The application's id. */
  String id() {
    return id;
  }

  String key() {
    return key;
  }

  /** The same application after its key was replaced. */
  Client withKey(String replacement) {
    return new Client(vault, id, replacement);
  }

  Call call(String method, String path) {
    return vault.call(method, path).key(key);
  }

  Answer get(String path) {
    return call("GET", path).send();
  }

  Answer post(String path) {
    return call("POST", path).send();
  }

  /** The body is sent as its text. */
  Answer post(String path, Object json) {
    return call("POST", path).json(json).send();
  }

  Answer put(String path, Object json) {
    return call("PUT", path).json(json).send();
  }

  /** A JSON merge patch. */
  Answer patch(String path, Object json) {
    return call("PATCH", path).body("application/merge-patch+json", json.toString()).send();
  }

  Answer delete(String path) {
    return call("DELETE", path).send();
  }

  /** Makes a token and gives its id. */
  String token(JsonNode token) {
    return post("/tokens", token).expect(201).text("id");
  }

  /** Makes a token of type {@code token} in the containers, or in the default one. */
  String token(Object data, String... containers) {
    var token = Json.object("type", "token", "data", data);
    return token(containers.length == 0 ? token : token.set("containers", Json.of(containers)));
  }
}
