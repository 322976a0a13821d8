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

/** Tokens, proxies, and where the operator lets tokens go. */
final class TokenAlternations {

  private static final String BOUND = "/bound/";

  private final ManyNodesFixture fixture;
  private final String firstUrl;

  TokenAlternations(ManyNodesFixture fixture) {
    this.fixture = fixture;
    this.firstUrl = fixture.nodes().all().get(0).url();
  }

  Map<String, Alternation> all() {
    return Map.of(
        "a token that is changed", new ChangedToken(),
        "a token that is deleted", new DeletedToken(),
        "a proxy whose destination is changed", new ChangedProxy(),
        "a proxy that is deleted", new DeletedProxy(),
        "the URL header that is allowed or not", new UrlHeader(),
        "a container that is bound to another host", new BoundContainer());
  }

  private static void assertAnswer(Response response, int status, String text) {
    assertThat(response.expect(status).text()).as("%s", response).contains(text);
  }

  private final class ChangedToken implements Alternation {

    private final JsonNode proxy = fixture.proxy(firstUrl, HttpsDestination.HOST);
    private final String token = fixture.token("before");

    @Override
    public Consumer<String> change(int round, String url) {
      String data = "data-" + round + ".";
      String path = "/tokens/" + token;
      fixture.owner(url).patch(path, "{\"data\":\"" + data + "\"}").expect(200);
      return each -> {
        assertAnswer(fixture.through(each, proxy, token), 200, data);
        assertAnswer(fixture.owner(each).get(path), 200, data);
      };
    }

    @Override
    public Response use(String url) {
      return fixture.through(url, proxy, token);
    }
  }

  private final class DeletedToken implements Alternation {

    private final JsonNode proxy = fixture.proxy(firstUrl, HttpsDestination.HOST);
    private volatile String token = fixture.token("to be deleted");

    @Override
    public Consumer<String> change(int round, String url) {
      if (round % 2 == 1) {
        token = fixture.token(url, "to be deleted", "/");
        return each -> assertAnswer(fixture.through(each, proxy, token), 200, "to be deleted");
      }
      String deleted = token;
      fixture.owner(url).delete("/tokens/" + deleted).expect(204);
      return each -> {
        assertAnswer(fixture.through(each, proxy, deleted), 400, "unknown-tokens");
        assertAnswer(fixture.owner(each).get("/tokens/" + deleted), 404, "not-found");
      };
    }

    @Override
    public Response use(String url) {
      return fixture.through(url, proxy, token);
    }
  }

  private final class ChangedProxy implements Alternation {

    private final JsonNode proxy = fixture.proxy(firstUrl, HttpsDestination.HOST);
    private final String token = fixture.token("through a changed proxy");

    @Override
    public Consumer<String> change(int round, String url) {
      String destination = round % 2 == 0 ? HttpsDestination.OTHER_HOST : HttpsDestination.HOST;
      String path = "/proxies/" + proxy.path("id").asText();
      fixture.management(url).put(path, fixture.proxyBody(destination)).expect(200);
      return each ->
          assertAnswer(
              fixture.through(each, proxy, token), 200, destination + " \"through a changed");
    }

    @Override
    public Response use(String url) {
      return fixture.through(url, proxy, token);
    }
  }

  private final class DeletedProxy implements Alternation {

    private final String token = fixture.token("through a deleted proxy");
    private volatile JsonNode proxy = fixture.proxy(firstUrl, HttpsDestination.HOST);

    @Override
    public Consumer<String> change(int round, String url) {
      if (round % 2 == 1) {
        proxy = fixture.proxy(url, HttpsDestination.OTHER_HOST);
        return each -> assertAnswer(fixture.through(each, proxy, token), 200, "through a deleted");
      }
      JsonNode deleted = proxy;
      String path = "/proxies/" + deleted.path("id").asText();
      fixture.management(url).delete(path).expect(204);
      return each -> assertAnswer(fixture.through(each, deleted, token), 404, "unknown-proxy");
    }

    @Override
    public Response use(String url) {
      return fixture.through(url, proxy, token);
    }
  }

  private final class UrlHeader implements Alternation {

    private final String token = fixture.token("by URL");

    @Override
    public Consumer<String> change(int round, String url) {
      boolean allowed = round % 2 == 1;
      fixture.nodes().changeEgress(fixture.tenantId(), egress -> egress.withUrlHeader(allowed));
      return each ->
          assertAnswer(invoke(each), allowed ? 200 : 403, allowed ? "by URL" : "url-header-off");
    }

    private Response invoke(String url) {
      String destination = fixture.nodes().destination().url(HttpsDestination.HOST);
      Call call = fixture.owner(url).call("POST", "/proxy").to(destination);
      return call.json("\"{{" + token + "}}\"").send();
    }

    @Override
    public Response use(String url) {
      return invoke(url);
    }
  }

  private final class BoundContainer implements Alternation {

    private final Container container = new Container(BOUND);
    private final JsonNode one = fixture.proxy(firstUrl, HttpsDestination.HOST);
    private final JsonNode other = fixture.proxy(firstUrl, HttpsDestination.OTHER_HOST);
    private final String token = fixture.token(firstUrl, "in a bound container", BOUND);

    @Override
    public Consumer<String> change(int round, String url) {
      boolean toOne = round % 2 == 0;
      HostPattern host =
          new HostPattern(toOne ? HttpsDestination.HOST : HttpsDestination.OTHER_HOST);
      fixture
          .nodes()
          .changeEgress(
              fixture.tenantId(),
              egress ->
                  egress
                      .without(container, Optional.empty())
                      .with(new ContainerBinding(container, host)));
      return each -> {
        assertGoes(each, one, toOne);
        assertGoes(each, other, !toOne);
      };
    }

    private void assertGoes(String url, JsonNode proxy, boolean goes) {
      assertAnswer(
          fixture.through(url, proxy, token),
          goes ? 200 : 403,
          goes ? "in a bound" : "tokens-bound");
    }

    @Override
    public Response use(String url) {
      return fixture.through(url, one, token);
    }
  }
}
