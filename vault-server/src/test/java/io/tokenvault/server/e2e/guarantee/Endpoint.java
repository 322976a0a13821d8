package io.tokenvault.server.e2e.guarantee;

import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.util.Arrays;
import java.util.List;

/**
 * An endpoint of the API and the permissions that it requires.
 *
 * @param path has {@code ID} in place of an id
 * @param permissions of which one is sufficient; {@code any} allows every valid key
 */
public record Endpoint(String method, String path, List<String> permissions) {

  /** All endpoints that require an API key. */
  public static final List<Endpoint> ALL =
      """
      GET /permissions -> any
      GET /tenants/self -> any
      GET /logs -> log:read
      GET /logs/entity-types -> log:read
      POST /proxies -> proxy:create
      GET /proxies -> proxy:read
      GET /proxies/ID -> proxy:read
      PUT /proxies/ID -> proxy:update
      PATCH /proxies/ID -> proxy:update
      DELETE /proxies/ID -> proxy:delete
      POST /proxies/ID/test -> proxy:update
      POST /applications -> application:create
      GET /applications -> application:read
      GET /applications/key -> application:read
      GET /applications/ID -> application:read
      PUT /applications/ID -> application:update
      PATCH /applications/ID -> application:update
      POST /applications/ID/regenerate -> application:update
      DELETE /applications/ID -> application:delete
      POST /access/explain -> application:read
      POST /tokens -> token:create
      GET /tokens -> token:search, token:read
      GET /tokens/ID -> token:read
      PATCH /tokens/ID -> token:update
      DELETE /tokens/ID -> token:delete
      POST /tokens/search -> token:search
      POST /tokenize -> token:create
      POST /detokenize -> token:read
      GET /proxy -> token:use
      POST /proxy -> token:use
      POST /proxy/any/path -> token:use
      """
          .lines()
          .map(Endpoint::parse)
          .toList();

  private static final String UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

  private static Endpoint parse(String line) {
    String[] parts = line.split(" -> | (?=/)");
    return new Endpoint(parts[0], parts[1], Arrays.asList(parts[2].split(", ")));
  }

  public boolean allows(String permission) {
    return permissions.contains("any") || permissions.contains(permission);
  }

  public boolean concernsTokens() {
    return permissions.get(0).startsWith("token:");
  }

  public boolean isProxy() {
    return path.equals("/proxy") || path.startsWith("/proxy/");
  }

  public Call call() {
    return call("");
  }

  /** Returns a request with an unknown id and, for POST and PUT, an empty object as its body. */
  public Call call(String query) {
    Call call = RunningVault.shared().call(method, path.replace("ID", UNKNOWN_ID) + query);
    return method.equals("POST") || method.equals("PUT") ? call.json("{}") : call;
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
