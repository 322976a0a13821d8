package io.tokenvault.server.process.command;

import static io.tokenvault.server.process.fixture.Operator.command;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.EchoDestination;
import io.tokenvault.server.process.fixture.Http;
import io.tokenvault.server.process.fixture.Operator;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where tokens may go, said from the command line while a server runs. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EgressCommandsTest {

  @AutoClose private EchoDestination destination;
  @AutoClose private RunningVault.Node server;

  /** A node that reaches the destination, beside the shared one. */
  @BeforeAll
  void serve(@TempDir Path directory) {
    destination = new EchoDestination();
    server = RunningVault.shared().node(destination.reachableFrom(Map.of(), directory));
  }

  private static CommandRun container(String command, JsonNode tenant, String... rest) {
    return command(
        Stream.concat(Stream.of("container", command, "--tenant", id(tenant)), Stream.of(rest))
            .toArray(String[]::new));
  }

  private static String id(JsonNode tenant) {
    return tenant.path("tenant_id").asText();
  }

  private static JsonNode newTenant() {
    return Operator.newTenant("Egress");
  }

  private Http http(JsonNode issued) {
    return new Http(server.vault().url(), issued.path("key").asText());
  }

  /** Who may make tokens in a container, and use them. */
  private Http user(JsonNode tenant) {
    return http(
        Http.json(
            http(tenant)
                .post(
                    "/applications",
                    "{\"name\":\"u\",\"type\":\"private\",\"rules\":[{\"description\":\"all\","
                        + "\"priority\":1,\"container\":\"/\",\"transform\":\"reveal\","
                        + "\"permissions\":[\"token:create\",\"token:use\"]}]}")
                .body()));
  }

  private static String expression(Http user, String container) {
    String token =
        "{\"type\":\"token\",\"data\":\"secret\",\"containers\":[\"" + container + "\"]}";
    String id = Http.json(user.post("/tokens", token).body()).path("id").asText();
    return "[\"{{" + id + "}}\"]";
  }

  private HttpResponse<String> byUrl(Http user, String body) {
    return user.invoke(destination.url(), "none", body);
  }

  private static void assertRefused(HttpResponse<String> response, String type) {
    assertThat(response.statusCode()).as("%s", response.body()).isEqualTo(403);
    assertThat(Http.json(response.body()).path("proxy_error").path("type").asText()).endsWith(type);
  }

  private static void assertEchoed(HttpResponse<String> response) {
    assertThat(response.statusCode()).as("%s", response.body()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("[\"secret\"]");
  }

  private static List<String> bindings(CommandRun command) {
    return command
        .expectExit(0)
        .out()
        .lines()
        .map(Http::json)
        .map(line -> line.path("container").asText() + " " + line.path("host").asText())
        .toList();
  }

  private List<String> updates(JsonNode tenant) {
    JsonNode log = Http.json(http(tenant).get("/logs?size=1000").body()).path("data");
    return StreamSupport.stream(log.spliterator(), false)
        .filter(entry -> entry.path("entity_id").asText().equals(id(tenant)))
        .filter(entry -> entry.path("operation").asText().equals("update"))
        .peek(entry -> assertThat(entry.path("actor_type").asText()).isEqualTo("system"))
        .peek(entry -> assertThat(entry.has("actor_id")).isFalse())
        .map(entry -> entry.path("message").asText())
        .toList();
  }

  @Test
  void boundTokensGoOnlyWhereTheyMayFromTheNextRequestOn() {
    JsonNode tenant = newTenant();
    Http user = user(tenant);
    String body = expression(user, "/pci/eu/");
    assertEchoed(byUrl(user, body));

    assertThat(bindings(container("allow", tenant, "/PCI/", "api.Stripe.com")))
        .containsExactly("/pci/ api.stripe.com");
    assertRefused(byUrl(user, body), "tokens-bound");
    assertThat(bindings(container("allow", tenant, "/pci/", "*.test", "api.stripe.com")))
        .containsExactly("/pci/ *.test", "/pci/ api.stripe.com");
    assertEchoed(byUrl(user, body));
    container("allow", tenant, "/", EchoDestination.HOST).expectExit(0);
    assertThat(bindings(container("list", tenant)))
        .containsExactly("/ echo.test", "/pci/ *.test", "/pci/ api.stripe.com");

    assertThat(bindings(container("remove", tenant, "/pci/", "*.test")))
        .containsExactly("/pci/ api.stripe.com");
    assertRefused(byUrl(user, body), "tokens-bound");
    assertThat(bindings(container("remove", tenant, "/pci/"))).isEmpty();
    assertEchoed(byUrl(user, body));
    assertThat(bindings(container("list", tenant))).containsExactly("/ echo.test");
    assertThat(updates(tenant))
        .containsExactly(
            "All destinations of container /pci/ removed",
            "Destinations of container /pci/ removed: *.test",
            "Destinations of container / allowed: echo.test",
            "Destinations of container /pci/ allowed: *.test, api.stripe.com",
            "Destinations of container /pci/ allowed: api.stripe.com");
  }

  @Test
  void urlHeaderCanBeSwitchedOffAndProxiesStillWork() {
    JsonNode tenant = newTenant();
    Http user = user(tenant);
    String body = expression(user, "/");
    String proxy =
        Http.json(
                http(tenant)
                    .post(
                        "/proxies",
                        "{\"name\":\"p\",\"destination_url\":\"" + destination.url() + "\"}")
                    .body())
            .path("key")
            .asText();
    assertEchoed(byUrl(user, body));

    assertThat(update(tenant, "--ephemeral-proxy", "off")).isEqualTo(switches(tenant, "off", "on"));
    assertRefused(byUrl(user, body), "url-header-off");
    assertRefused(byUrl(user, "[]"), "url-header-off");
    assertEchoed(user.invokeByKey(proxy, body));

    assertThat(update(tenant, "--ephemeral-proxy=on", "--unbound-containers-by-url=off"))
        .isEqualTo(switches(tenant, "on", "off"));
    assertRefused(byUrl(user, body), "tokens-bound");
    assertThat(byUrl(user, "[]").statusCode()).isEqualTo(200);
    assertEchoed(user.invokeByKey(proxy, body));
    container("allow", tenant, "/", EchoDestination.HOST).expectExit(0);
    assertEchoed(byUrl(user, body));
    assertThat(updates(tenant))
        .containsExactly(
            "Destinations of container / allowed: echo.test",
            "Tenant updated, ephemeral proxy on, unbound containers by URL off",
            "Tenant updated, ephemeral proxy off");
  }

  private static JsonNode update(JsonNode tenant, String... switches) {
    String[] arguments =
        Stream.concat(Stream.of("tenant", "update", "--tenant", id(tenant)), Stream.of(switches))
            .toArray(String[]::new);
    return Http.json(command(arguments).expectExit(0).out());
  }

  private static JsonNode switches(JsonNode tenant, String urlHeader, String unbound) {
    return Http.json(
        "{\"tenant_id\":\""
            + id(tenant)
            + "\",\"ephemeral_proxy\":\""
            + urlHeader
            + "\",\"unbound_containers_by_url\":\""
            + unbound
            + "\"}");
  }

  @Test
  void wrongArgumentsAreNamedAndChangeNothing() {
    JsonNode tenant = newTenant();
    container("allow", tenant, "/pci/", "a.test").expectExit(0);

    fails(1, "container must be", container("allow", tenant, "pci", "b.test"));
    fails(1, "host must be a DNS name", container("allow", tenant, "/pci/", "b.test", "*"));
    fails(1, "host must be a DNS name", container("allow", tenant, "/pci/", "https://b.test"));
    fails(1, "host must be a DNS name", container("allow", tenant, "/pci/", "10.0.0.1"));
    fails(1, "at most 200", container("allow", tenant, manyHosts()));
    fails(2, "HOST", container("allow", tenant, "/pci/"));
    fails(1, "container has no allowed hosts", container("remove", tenant, "/pci/eu/"));
    fails(1, "container has no allowed hosts", container("remove", tenant, "/", "a.test"));
    fails(
        1, "host is not an allowed host", container("remove", tenant, "/pci/", "a.test", "b.test"));
    fails(2, "--ephemeral-proxy", command("tenant", "update", "--tenant", id(tenant)));
    fails(
        2,
        "must be on or off",
        command("tenant", "update", "--tenant", id(tenant), "--ephemeral-proxy", "maybe"));

    assertThat(bindings(container("list", tenant))).containsExactly("/pci/ a.test");
    assertThat(updates(tenant)).hasSize(1);
  }

  /** One more than there is room for, besides the one that is there. */
  private static String[] manyHosts() {
    return Stream.concat(
            Stream.of("/pci/"), IntStream.range(0, 200).mapToObj(i -> "h" + i + ".test"))
        .toArray(String[]::new);
  }

  private static void fails(int code, String why, CommandRun command) {
    command.expectExit(code);
    assertThat(command.out()).isEmpty();
    assertThat(command.err()).contains(why);
  }

  @Test
  void unknownTenantIsNamedByEveryCommand() {
    String unknown = UUID.randomUUID().toString();
    String why = "No tenant has this id.";
    fails(1, why, command("container", "allow", "--tenant", unknown, "/pci/", "a.test"));
    fails(1, why, command("container", "list", "--tenant", unknown));
    fails(1, why, command("container", "remove", "--tenant", unknown, "/pci/"));
    fails(1, why, command("tenant", "update", "--id", unknown, "--ephemeral-proxy", "off"));
  }

  @Test
  void moreHostsThanTheLogHasRoomForAreCountedAndARepeatedCommandChangesNothing() {
    JsonNode tenant = newTenant();
    String[] hosts =
        Stream.concat(
                Stream.of("/pci/"),
                IntStream.range(0, 60).mapToObj(i -> (i % 2 == 0 ? "h" : "H") + i + ".test"))
            .toArray(String[]::new);

    container("allow", tenant, hosts).expectExit(0);
    container("allow", tenant, hosts).expectExit(0);
    update(tenant, "--ephemeral-proxy", "off");
    update(tenant, "--ephemeral-proxy", "off");

    assertThat(updates(tenant))
        .containsExactly(
            "Tenant updated, ephemeral proxy off", "Destinations of container /pci/ allowed: 60");
  }
}
