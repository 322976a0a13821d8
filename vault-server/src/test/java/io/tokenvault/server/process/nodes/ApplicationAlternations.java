package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Keys that are replaced, rights that are taken and given, applications that end. */
final class ApplicationAlternations {

  private static final Duration LIFE = Duration.ofMillis(300);
  private static final int LONGEST_LIFE = 64;
  private static final String READER =
      """
      {"description":"read","priority":1,"container":"/","transform":"%s",\
      "permissions":["%s"]}\
      """;

  private final ManyNodesFixture fixture;
  private final String token;

  ApplicationAlternations(ManyNodesFixture fixture) {
    this.fixture = fixture;
    this.token = fixture.token("planted");
  }

  Map<String, Alternation> all() {
    return Map.of(
        "a key that is regenerated", new RegeneratedKey(),
        "an application that is deleted", new DeletedApplication(),
        "an application that expires", new ExpiringApplication(),
        "a rule that is changed", new ChangedRule());
  }

  private Response read(String url, String key) {
    return new Client(url, key).get("/tokens/" + token);
  }

  private void assertReads(String url, String key, int status) {
    Response response = read(url, key);
    assertThat(response.status()).as("%s %s", url, response.text()).isEqualTo(status);
    assertThat(response.text().contains("planted")).as(response.text()).isEqualTo(status == 200);
  }

  private JsonNode newReader(String url) {
    return fixture.application(url, READER.formatted("reveal", "token:read"));
  }

  private final class RegeneratedKey implements Alternation {

    private final JsonNode application = newReader(fixture.nodes().all().get(0).url());
    private volatile String key = application.path("key").asText();

    @Override
    public Consumer<String> change(int round, String url) {
      String before = key;
      String path = "/applications/" + application.path("id").asText() + "/regenerate";
      String after = fixture.management(url).post(path, "").expect(200).text("key");
      key = after;
      return each -> {
        assertReads(each, before, 401);
        assertReads(each, after, 200);
      };
    }

    @Override
    public Response use(String url) {
      return read(url, key);
    }
  }

  private final class DeletedApplication implements Alternation {

    private volatile JsonNode application = newReader(fixture.nodes().all().get(0).url());

    @Override
    public Consumer<String> change(int round, String url) {
      String key = application.path("key").asText();
      if (round % 2 == 0) {
        String path = "/applications/" + application.path("id").asText();
        fixture.management(url).delete(path).expect(204);
        return each -> assertReads(each, key, 401);
      }
      application = newReader(url);
      return each -> assertReads(each, application.path("key").asText(), 200);
    }

    @Override
    public Response use(String url) {
      return read(url, application.path("key").asText());
    }
  }

  private final class ExpiringApplication implements Alternation {

    private volatile String key = "";

    /** All nodes are asked until its time has been over for a while. */
    @Override
    public Consumer<String> change(int round, String url) {
      Instant end = Instant.now().plus(LIFE);
      Response made = make(url, end);
      // A busy node may be so slow that the time is over before it looks.
      for (int i = 2; made.status() == 400 && i <= LONGEST_LIFE; i *= 2) {
        end = Instant.now().plus(LIFE.multipliedBy(i));
        made = make(url, end);
      }
      key = made.expect(201).text("key");
      useUntil(end);
      return each -> assertReads(each, key, 401);
    }

    private Response make(String url, Instant end) {
      return fixture
          .management(url)
          .post(
              "/applications",
              "{\"name\":\"e\",\"type\":\"expiring\",\"expires_at\":\""
                  + end
                  + "\",\"rules\":["
                  + "{\"description\":\"d\",\"priority\":1,\"transform\":\"reveal\","
                  + "\"permissions\":[\"token:read\"],\"conditions\":[{\"attribute\":"
                  + "\"container\",\"operator\":\"starts_with\",\"value\":\"/\"}]}]}");
    }

    private void useUntil(Instant end) {
      while (Instant.now().isBefore(end)) {
        fixture.nodes().all().forEach(node -> assertReadsUntil(end, node.url()));
      }
    }

    private void assertReadsUntil(Instant end, String url) {
      boolean expired = !Instant.now().isBefore(end);
      int status = read(url, key).status();
      boolean alive = Instant.now().isBefore(end);
      if (expired || alive) {
        assertThat(status).as("%s, expired: %s", url, expired).isEqualTo(expired ? 401 : 200);
      }
    }

    @Override
    public Response use(String url) {
      return read(url, key);
    }
  }

  /** It gives all, hides the data, and gives nothing, in turn. */
  private final class ChangedRule implements Alternation {

    private final JsonNode application = newReader(fixture.nodes().all().get(0).url());
    private final List<String> rules =
        List.of(
            READER.formatted("redact", "token:read"),
            READER.formatted("reveal", "token:read"),
            READER.formatted("reveal", "token:create"),
            READER.formatted("reveal", "token:read"));

    @Override
    public Consumer<String> change(int round, String url) {
      int step = round % rules.size();
      String path = "/applications/" + application.path("id").asText();
      fixture
          .management(url)
          .put(path, "{\"name\":\"private\",\"rules\":[" + rules.get(step) + "]}")
          .expect(200);
      return each -> assertStep(step, each);
    }

    private void assertStep(int step, String url) {
      if (step > 0) {
        assertReads(url, application.path("key").asText(), step == 2 ? 403 : 200);
        return;
      }
      Response redacted = read(url, application.path("key").asText());
      assertThat(redacted.expect(200).text()).as(url).doesNotContain("planted");
    }

    @Override
    public Response use(String url) {
      return read(url, application.path("key").asText());
    }
  }
}
