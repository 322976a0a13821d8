package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose tenants are spread over two databases, as an operator and two tenants see it. */
@Timeout(600)
final class TenantsOnTwoDatabasesTest {

  private final EchoDestination destination = new EchoDestination();

  @AfterEach
  void stop() {
    destination.close();
  }

  private Map<String, String> settings(TwoDatabases databases) {
    return destination.reachableFrom(databases.settings(), databases.place());
  }

  @Test
  void tenantsOnBothAreServedUntilTheirOwnDatabaseIsAway() {
    try (TwoDatabases databases = TwoDatabases.inOnePostgres();
        VaultProcess server = VaultProcess.serve(settings(databases))) {
      TenantsEnd there = serveBothUntilTheSecondIsAway(databases, server);

      databases.openSecond();

      server.await("the return", () -> there.invoke().statusCode() == 200);
      server.await("its being told", () -> server.err().contains("Database 2 answers again"));
      assertThat(refused(databases, "tenant", "create", "--name", "x", "--shard", "3"))
          .contains("--shard 3", "databases 1 to 2");
    }
  }

  @Test
  @Tag("long")
  void theyAreInTwoServersOfWhichOneIsStopped() {
    try (TwoDatabases databases = TwoDatabases.inTwo();
        VaultProcess server = VaultProcess.serve(settings(databases))) {
      TenantsEnd there = serveBothUntilTheSecondIsAway(databases, server);
      try (VaultProcess later = VaultProcess.serve(settings(databases))) {
        assertThat(later.err()).contains("Database 2 is away");
        assertThat(there.invoke().statusCode()).isEqualTo(503);
      }
    }
  }

  /** Gives the tenant of the second. */
  private TenantsEnd serveBothUntilTheSecondIsAway(TwoDatabases databases, VaultProcess server) {
    TenantsEnd here = newTenant(databases, server, 1);
    TenantsEnd there = newTenant(databases, server, 2);
    assertIsServed(here);
    assertIsServed(there);
    assertIsKeptApart(databases, here, 1, 2);
    assertIsKeptApart(databases, there, 2, 1);
    assertThat(refusal(here, there.proxyKey())).isEqualTo(refusal(here, unknownKey(there)));

    databases.closeSecond();

    server.await("the refusal", () -> there.user().get("/tokens").statusCode() == 503);
    assertThat(there.invoke().statusCode()).isEqualTo(503);
    assertIsServed(here);
    assertThat(here.user().get("/readyz").statusCode()).isEqualTo(200);
    server.await("its being told", () -> server.err().contains("Database 2 does not answer"));
    return there;
  }

  private String refused(TwoDatabases databases, String... command) {
    return CommandRun.run(settings(databases), command).expectExit(2).err();
  }

  private TenantsEnd newTenant(TwoDatabases databases, VaultProcess server, int shard) {
    String[] command = {"tenant", "create", "--name", "t" + shard, "--shard", "" + shard};
    JsonNode tenant = Http.json(CommandRun.run(settings(databases), command).expectExit(0).out());
    Http management = new Http(server, tenant.path("key").asText());
    JsonNode user =
        created(
            management,
            "/applications",
            "{\"name\":\"u\",\"type\":\"private\",\"rules\":[{\"description\":\"all\",\"priority\":1,"
                + "\"container\":\"/\",\"transform\":\"reveal\",\"permissions\":[\"token:create\","
                + "\"token:read\",\"token:search\",\"token:use\"]}]}");
    JsonNode proxy =
        created(
            management,
            "/proxies",
            "{\"name\":\"p\",\"destination_url\":\"" + destination.url() + "\"}");
    Http client = new Http(server, user.path("key").asText());
    String secret = "secret of tenant " + shard;
    JsonNode token = created(client, "/tokens", "{\"type\":\"token\",\"data\":\"" + secret + "\"}");
    return new TenantsEnd(
        tenant.path("tenant_id").asText(),
        management,
        client,
        proxy.path("key").asText(),
        token.path("id").asText(),
        secret);
  }

  private static JsonNode created(Http client, String path, String json) {
    HttpResponse<String> answer = client.post(path, json);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return Http.json(answer.body());
  }

  private static void assertIsServed(TenantsEnd tenant) {
    HttpResponse<String> passed = tenant.invoke();
    assertThat(passed.statusCode()).as(passed.body()).isEqualTo(200);
    assertThat(passed.body()).isEqualTo("{\"x\":\"" + tenant.secret() + "\"}");
    JsonNode log = Http.json(tenant.management().get("/logs?size=1000").body()).path("data");
    assertThat(StreamSupport.stream(log.spliterator(), false))
        .extracting(entry -> entry.path("message").asText())
        .contains("Proxy invoked", "Token created");
  }

  private static void assertIsKeptApart(
      TwoDatabases databases, TenantsEnd tenant, int own, int other) {
    for (String table : List.of("tenant", "token", "proxy", "application", "audit_entry")) {
      String rows = "SELECT 1 FROM " + table + " WHERE tenant_id = '" + tenant.id() + "'";
      assertThat(databases.sql(own, rows)).as(table).isNotEmpty();
      assertThat(databases.sql(other, rows)).as(table).isEmpty();
    }
  }

  /** All that is said but the trace. */
  private static JsonNode refusal(TenantsEnd caller, String proxyKey) {
    HttpResponse<String> answer = caller.user().invokeByKey(proxyKey, "{}");
    assertThat(answer.statusCode()).isEqualTo(404);
    JsonNode problem = Http.json(answer.body()).path("proxy_error");
    assertThat(problem.path("type").asText()).endsWith("unknown-proxy");
    return ((ObjectNode) problem).without("instance");
  }

  /** A key of the right form that nobody has. */
  private static String unknownKey(TenantsEnd tenant) {
    return new StringBuilder(tenant.proxyKey()).reverse().toString();
  }

  /** What a tenant has. */
  private record TenantsEnd(
      String id, Http management, Http user, String proxyKey, String tokenId, String secret) {

    HttpResponse<String> invoke() {
      return user.invokeByKey(proxyKey, "{\"x\":\"{{ " + tokenId + " }}\"}");
    }
  }
}
