package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Repeated changes of keys, access rules, and applications. */
final class ApplicationChanges {

  private static final Duration LIFETIME = Duration.ofMillis(300);
  private static final int MAX_LIFETIME_FACTOR = 64;
  private static final ObjectNode READER = TenantFixture.rule(1, "/", "reveal", "token:read");

  private final ManyNodesFixture fixture;
  private final String token;

  ApplicationChanges(ManyNodesFixture fixture) {
    this.fixture = fixture;
    this.token = fixture.createToken("planted");
  }

  Map<String, RepeatedChange> all() {
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
    return fixture.createApplication(url, TenantFixture.revealingDraft("token:read"));
  }

  /** Changes an application that reads a token. */
  private abstract class ReaderChange implements RepeatedChange {

    protected volatile JsonNode application = newReader(fixture.firstUrl());

    protected final String key() {
      return application.path("key").asText();
    }

    protected final String path() {
      return "/applications/" + application.path("id").asText();
    }

    @Override
    public final Response use(String url) {
      return read(url, key());
    }
  }

  private final class RegeneratedKey extends ReaderChange {

    private final String regenerate = path() + "/regenerate";

    @Override
    public Consumer<String> change(int round, String url) {
      String before = key();
      application = fixture.management(url).post(regenerate, "").expect(200).json();
      String after = key();
      return each -> {
        assertReads(each, before, 401);
        assertReads(each, after, 200);
      };
    }
  }

  private final class DeletedApplication extends ReaderChange {

    @Override
    public Consumer<String> change(int round, String url) {
      if (round % 2 == 0) {
        fixture.management(url).delete(path()).expect(204);
        return each -> assertReads(each, key(), 401);
      }
      application = newReader(url);
      return each -> assertReads(each, key(), 200);
    }
  }

  private final class ExpiringApplication extends ReaderChange {

    /** Reads on all nodes until after the expiry. */
    @Override
    public Consumer<String> change(int round, String url) {
      Instant end = Instant.now().plus(LIFETIME);
      Response created = create(url, end);
      // The time may be over before a busy node checks it.
      for (int i = 2; created.status() == 400 && i <= MAX_LIFETIME_FACTOR; i *= 2) {
        end = Instant.now().plus(LIFETIME.multipliedBy(i));
        created = create(url, end);
      }
      application = created.expect(201).json();
      useUntil(end);
      return each -> assertReads(each, key(), 401);
    }

    private Response create(String url, Instant end) {
      JsonNode anywhere = TenantFixture.condition("container", "starts_with", "/");
      ObjectNode rule = TenantFixture.conditional(1, "reveal", List.of(anywhere), "token:read");
      ObjectNode body = TenantFixture.draft("expiring", List.of(rule));
      return fixture.management(url).post("/applications", body.put("expires_at", end.toString()));
    }

    private void useUntil(Instant end) {
      while (Instant.now().isBefore(end)) {
        fixture.nodes().all().forEach(node -> assertReadsUntil(end, node.url()));
      }
    }

    private void assertReadsUntil(Instant end, String url) {
      boolean expired = !Instant.now().isBefore(end);
      int status = use(url).status();
      boolean alive = Instant.now().isBefore(end);
      if (expired || alive) {
        assertThat(status).as("%s, expired: %s", url, expired).isEqualTo(expired ? 401 : 200);
      }
    }
  }

  /** A rule that redacts, reveals, and denies, in turn. */
  private final class ChangedRule extends ReaderChange {

    private final List<ObjectNode> rules =
        List.of(
            TenantFixture.rule(1, "/", "redact", "token:read"),
            READER,
            TenantFixture.rule(1, "/", "reveal", "token:create"),
            READER);

    @Override
    public Consumer<String> change(int round, String url) {
      int step = round % rules.size();
      JsonNode body = TenantFixture.draft("private", List.of(rules.get(step))).without("type");
      fixture.management(url).put(path(), body).expect(200);
      return each -> assertStep(step, each);
    }

    private void assertStep(int step, String url) {
      if (step > 0) {
        assertReads(url, key(), step == 2 ? 403 : 200);
        return;
      }
      assertThat(use(url).expect(200).text()).as(url).doesNotContain("planted");
    }
  }
}
