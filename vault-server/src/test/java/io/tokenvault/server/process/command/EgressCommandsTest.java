package io.tokenvault.server.process.command;

import static io.tokenvault.server.process.fixture.Operator.command;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.Operator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Tests commands that change egress rules while a server runs. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EgressCommandsTest {

  @AutoClose private final HttpsDestination destination = HttpsDestination.startEcho();

  /** A second server, which does not share the caches of the first one. */
  private final RunningVault.Node server = RunningVault.sharedNode();

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

  private Client http(JsonNode issued) {
    return new Client(server.vault().url(), issued);
  }

  /** Creates an application that can create and use tokens, and returns its client. */
  private Client user(JsonNode tenant) {
    JsonNode draft = TenantFixture.revealingDraft("token:create", "token:use");
    return http(http(tenant).post("/applications", draft).expect(201).json());
  }

  private static String expression(Client user, String container) {
    return "[\"{{" + user.token("secret", container) + "}}\"]";
  }

  private Response byUrl(Client user, String body) {
    return user.call("POST", "/proxy").to(destination.url()).json(body).send();
  }

  private static void assertRefused(Response response, String type) {
    assertThat(response.expect(403).get("proxy_error").path("type").asText()).endsWith(type);
  }

  private static void assertEchoed(Response response) {
    assertThat(response.expect(200).text()).isEqualTo("payments.test [\"secret\"]");
  }

  private static List<String> bindings(CommandRun command) {
    return command.lines().stream()
        .map(line -> String.join(" ", Json.properties(line, "container", "host")))
        .toList();
  }

  private List<String> updates(JsonNode tenant) {
    String filter = "/logs?size=1000&operation=update&entity_id=" + id(tenant);
    JsonNode updates = http(tenant).get(filter).expect(200).get("data");
    assertThat(updates)
        .allSatisfy(
            entry ->
                assertThat(Json.properties(entry, "actor_type", "actor_id"))
                    .containsExactly("system", ""));
    return Json.each(updates, "message");
  }

  @Test
  void containerBindingAppliesFromNextRequest() {
    JsonNode tenant = newTenant();
    Client user = user(tenant);
    String body = expression(user, "/pci/eu/");
    assertEchoed(byUrl(user, body));

    assertThat(bindings(container("allow", tenant, "/PCI/", "api.Stripe.com")))
        .containsExactly("/pci/ api.stripe.com");
    assertRefused(byUrl(user, body), "tokens-bound");
    assertThat(bindings(container("allow", tenant, "/pci/", "*.test", "api.stripe.com")))
        .containsExactly("/pci/ *.test", "/pci/ api.stripe.com");
    assertEchoed(byUrl(user, body));
    container("allow", tenant, "/", HttpsDestination.HOST).expectExit(0);
    assertThat(bindings(container("list", tenant)))
        .containsExactly("/ payments.test", "/pci/ *.test", "/pci/ api.stripe.com");

    assertThat(bindings(container("remove", tenant, "/pci/", "*.test")))
        .containsExactly("/pci/ api.stripe.com");
    assertRefused(byUrl(user, body), "tokens-bound");
    assertThat(bindings(container("remove", tenant, "/pci/"))).isEmpty();
    assertEchoed(byUrl(user, body));
    assertThat(bindings(container("list", tenant))).containsExactly("/ payments.test");
    assertThat(updates(tenant))
        .containsExactly(
            "All destinations of container /pci/ removed",
            "Destinations of container /pci/ removed: *.test",
            "Destinations of container / allowed: payments.test",
            "Destinations of container /pci/ allowed: *.test, api.stripe.com",
            "Destinations of container /pci/ allowed: api.stripe.com");
  }

  @Tag("long")
  @Test
  void urlHeaderCanBeSwitchedOffWhileProxiesStillWork() {
    JsonNode tenant = newTenant();
    Client user = user(tenant);
    String body = expression(user, "/");
    JsonNode draft = TenantFixture.proxyDraft(destination.url());
    JsonNode proxy = http(tenant).post("/proxies", draft).expect(201).json();
    assertEchoed(byUrl(user, body));

    assertThat(update(tenant, "--ephemeral-proxy", "off")).isEqualTo(switches(tenant, "off", "on"));
    assertRefused(byUrl(user, body), "url-header-off");
    assertRefused(byUrl(user, "[]"), "url-header-off");
    assertEchoed(user.call("POST", "/proxy").through(proxy).json(body).send());

    assertThat(update(tenant, "--ephemeral-proxy=on", "--unbound-containers-by-url=off"))
        .isEqualTo(switches(tenant, "on", "off"));
    assertRefused(byUrl(user, body), "tokens-bound");
    byUrl(user, "[]").expect(200);
    assertEchoed(user.call("POST", "/proxy").through(proxy).json(body).send());
    container("allow", tenant, "/", HttpsDestination.HOST).expectExit(0);
    assertEchoed(byUrl(user, body));
    assertThat(updates(tenant))
        .containsExactly(
            "Destinations of container / allowed: payments.test",
            "Tenant updated, ephemeral proxy on, unbound containers by URL off",
            "Tenant updated, ephemeral proxy off");
  }

  private static JsonNode update(JsonNode tenant, String... switches) {
    String[] arguments =
        Stream.concat(Stream.of("tenant", "update", "--tenant", id(tenant)), Stream.of(switches))
            .toArray(String[]::new);
    return command(arguments).json();
  }

  private static JsonNode switches(JsonNode tenant, String urlHeader, String unbound) {
    return Json.object("tenant_id", id(tenant), "ephemeral_proxy", urlHeader)
        .put("unbound_containers_by_url", unbound);
  }

  @Test
  void invalidArgumentsAreReportedAndChangeNothing() {
    JsonNode tenant = newTenant();
    container("allow", tenant, "/pci/", "a.test").expectExit(0);

    assertFails(1, "container must be", container("allow", tenant, "pci", "b.test"));
    assertFails(1, "host must be a DNS name", container("allow", tenant, "/pci/", "b.test", "*"));
    assertFails(
        1, "host must be a DNS name", container("allow", tenant, "/pci/", "https://b.test"));
    assertFails(1, "host must be a DNS name", container("allow", tenant, "/pci/", "10.0.0.1"));
    // The container has one host already.
    assertFails(1, "at most 200", container("allow", tenant, hosts("h", 200)));
    assertFails(2, "HOST", container("allow", tenant, "/pci/"));
    assertFails(1, "container has no allowed hosts", container("remove", tenant, "/pci/eu/"));
    assertFails(1, "container has no allowed hosts", container("remove", tenant, "/", "a.test"));
    assertFails(
        1, "host is not an allowed host", container("remove", tenant, "/pci/", "a.test", "b.test"));
    assertFails(2, "--ephemeral-proxy", command("tenant", "update", "--tenant", id(tenant)));
    assertFails(
        2,
        "must be on or off",
        command("tenant", "update", "--tenant", id(tenant), "--ephemeral-proxy", "maybe"));

    assertThat(bindings(container("list", tenant))).containsExactly("/pci/ a.test");
    assertThat(updates(tenant)).hasSize(1);

    String unknown = UUID.randomUUID().toString();
    String message = "No tenant has this id.";
    assertFails(1, message, command("container", "allow", "--tenant", unknown, "/pci/", "a.test"));
    assertFails(1, message, command("container", "list", "--tenant", unknown));
    assertFails(1, message, command("container", "remove", "--tenant", unknown, "/pci/"));
    assertFails(
        1, message, command("tenant", "update", "--id", unknown, "--ephemeral-proxy", "off"));
  }

  /** Returns a container and this number of hosts as arguments. */
  private static String[] hosts(String name, int count) {
    return Stream.concat(
            Stream.of("/pci/"), IntStream.range(0, count).mapToObj(i -> name + i + ".test"))
        .toArray(String[]::new);
  }

  private static void assertFails(int code, String message, CommandRun command) {
    command.expectExit(code);
    assertThat(command.out()).isEmpty();
    assertThat(command.err()).contains(message);
  }

  @Test
  void manyHostsAreLoggedAsCountAndRepeatedCommandChangesNothing() {
    JsonNode tenant = newTenant();
    container("allow", tenant, hosts("h", 60)).expectExit(0);
    container("allow", tenant, hosts("H", 60)).expectExit(0);
    update(tenant, "--ephemeral-proxy", "off");
    update(tenant, "--ephemeral-proxy", "off");

    assertThat(updates(tenant))
        .containsExactly(
            "Tenant updated, ephemeral proxy off", "Destinations of container /pci/ allowed: 60");
  }
}
