package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.HostPattern;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Response;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Repeated changes of tokens, proxies, and egress rules. */
final class TokenChanges {

  private static final String CONTAINER = "/bound/";

  private final ManyNodesFixture fixture;

  TokenChanges(ManyNodesFixture fixture) {
    this.fixture = fixture;
  }

  Map<String, RepeatedChange> all() {
    return Map.of(
        "a token that is changed", new ChangedToken(),
        "a token that is deleted", new DeletedToken(),
        "a proxy whose destination is changed", new ChangedProxy(),
        "a proxy that is deleted", new DeletedProxy(),
        "the URL header that is allowed or not", new UrlHeader(),
        "a container that is bound to another host", new BoundContainer());
  }

  private static void assertResponse(Response response, int status, String text) {
    assertThat(response.expect(status).text()).as("%s", response).contains(text);
  }

  /** Changes a token, or the proxy that it is sent through. */
  private abstract class ProxiedTokenChange implements RepeatedChange {

    protected volatile JsonNode proxy =
        fixture.createProxy(fixture.firstUrl(), HttpsDestination.HOST);
    protected volatile String token = fixture.createToken("planted");

    @Override
    public final Response use(String url) {
      return fixture.sendThrough(url, proxy, token);
    }
  }

  private final class ChangedToken extends ProxiedTokenChange {

    @Override
    public Consumer<String> change(int round, String url) {
      String data = "data-" + round + ".";
      String path = "/tokens/" + token;
      fixture.owner(url).patch(path, "{\"data\":\"" + data + "\"}").expect(200);
      return each -> {
        assertResponse(use(each), 200, data);
        assertResponse(fixture.owner(each).get(path), 200, data);
      };
    }
  }

  private final class DeletedToken extends ProxiedTokenChange {

    @Override
    public Consumer<String> change(int round, String url) {
      if (round % 2 == 1) {
        token = fixture.createToken(url, "planted", "/");
        return each -> assertResponse(use(each), 200, "planted");
      }
      String deleted = token;
      fixture.owner(url).delete("/tokens/" + deleted).expect(204);
      return each -> {
        assertResponse(fixture.sendThrough(each, proxy, deleted), 400, "unknown-tokens");
        assertResponse(fixture.owner(each).get("/tokens/" + deleted), 404, "not-found");
      };
    }
  }

  private final class ChangedProxy extends ProxiedTokenChange {

    @Override
    public Consumer<String> change(int round, String url) {
      String destination = round % 2 == 0 ? HttpsDestination.OTHER_HOST : HttpsDestination.HOST;
      String path = "/proxies/" + proxy.path("id").asText();
      fixture.management(url).put(path, fixture.proxyBody(destination)).expect(200);
      return each -> assertResponse(use(each), 200, destination + " \"planted");
    }
  }

  private final class DeletedProxy extends ProxiedTokenChange {

    @Override
    public Consumer<String> change(int round, String url) {
      if (round % 2 == 1) {
        proxy = fixture.createProxy(url, HttpsDestination.OTHER_HOST);
        return each -> assertResponse(use(each), 200, "planted");
      }
      JsonNode deleted = proxy;
      String path = "/proxies/" + deleted.path("id").asText();
      fixture.management(url).delete(path).expect(204);
      return each ->
          assertResponse(fixture.sendThrough(each, deleted, token), 404, "unknown-proxy");
    }
  }

  private final class UrlHeader implements RepeatedChange {

    private final String token = fixture.createToken("by URL");

    @Override
    public Consumer<String> change(int round, String url) {
      boolean allowed = round % 2 == 1;
      fixture.nodes().changeEgress(fixture.tenantId(), egress -> egress.withUrlHeader(allowed));
      return each ->
          assertResponse(use(each), allowed ? 200 : 403, allowed ? "by URL" : "url-header-off");
    }

    @Override
    public Response use(String url) {
      String destination = fixture.nodes().destination().url(HttpsDestination.HOST);
      Call call = fixture.owner(url).call("POST", "/proxy").to(destination);
      return call.json("\"{{" + token + "}}\"").send();
    }
  }

  private final class BoundContainer implements RepeatedChange {

    private final Container container = new Container(CONTAINER);
    private final JsonNode one = fixture.createProxy(fixture.firstUrl(), HttpsDestination.HOST);
    private final JsonNode other =
        fixture.createProxy(fixture.firstUrl(), HttpsDestination.OTHER_HOST);
    private final String token =
        fixture.createToken(fixture.firstUrl(), "in a bound container", CONTAINER);

    @Override
    public Consumer<String> change(int round, String url) {
      boolean toOne = round % 2 == 0;
      HostPattern host =
          new HostPattern(toOne ? HttpsDestination.HOST : HttpsDestination.OTHER_HOST);
      ContainerBinding binding = new ContainerBinding(container, host);
      fixture
          .nodes()
          .changeEgress(
              fixture.tenantId(),
              egress -> egress.without(container, Optional.empty()).with(binding));
      return each -> {
        assertForwarded(each, one, toOne);
        assertForwarded(each, other, !toOne);
      };
    }

    private void assertForwarded(String url, JsonNode proxy, boolean allowed) {
      Response response = fixture.sendThrough(url, proxy, token);
      assertResponse(response, allowed ? 200 : 403, allowed ? "in a bound" : "tokens-bound");
    }

    @Override
    public Response use(String url) {
      return fixture.sendThrough(url, one, token);
    }
  }
}
