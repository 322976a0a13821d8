package io.tokenvault.server.demo;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.api.ServiceHeaders;
import io.tokenvault.ports.usecase.tenant.ManageTenants;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.demo.EchoDestination.Received;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The requests of the demo, in their order, and the text that is printed about them.
 *
 * <p>The tour creates an application, a token and a proxy, sends a request through the proxy, and
 * shows both of its sides and the audit log.
 */
public final class DemoTour {

  private static final String CARD = "4242424242424242";
  private static final String PATH = "/charges";
  private static final String AUTHORIZATION = "Bearer demo-secret-of-the-destination";

  /** Limit on the reads of the log, ten seconds together; one or two are usually enough. */
  private static final int MAX_READS = 100;

  private static final long READ_INTERVAL_MS = 100;
  private static final ServiceHeaders HEADERS = ServiceHeaders.DEFAULT;

  private final String vaultUrl;
  private final Optional<String> adminUrl;
  private final EchoDestination destination;
  private final ManageTenants tenants;
  private final VaultClient client;
  private final PrintWriter out;

  /**
   * Creates the tour.
   *
   * @param adminUrl the base URL of the admin listener; empty if there is none
   */
  public DemoTour(
      String vaultUrl,
      Optional<String> adminUrl,
      EchoDestination destination,
      ManageTenants tenants,
      PrintWriter out) {
    this.vaultUrl = vaultUrl;
    this.adminUrl = adminUrl;
    this.destination = destination;
    this.tenants = tenants;
    this.client = new VaultClient(vaultUrl);
    this.out = out;
  }

  /**
   * Runs the tour.
   *
   * @param keepsRunning whether the servers keep running, in which case commands to try are printed
   * @throws IOException if the vault or the destination did not behave as the demo shows
   */
  public void run(boolean keepsRunning) throws IOException, InterruptedException {
    String management = IssuedKeyLine.text(tenants.create(new ResourceName("Demo tenant")).key());
    String backend = createApplication(management);
    String token = createToken(backend);
    String proxyKey = createProxy(management);
    String sent = charge(token);
    client.read(client.post("/proxy" + PATH, sent, headers(backend, proxyKey)));
    show(sent, received());
    showLog(management);
    if (keepsRunning) {
      printCommands(management, backend, proxyKey, token);
    }
  }

  /** Returns the request of the destination, and requires that it contains the card number. */
  private Received received() throws IOException {
    Received received =
        destination.last().orElseThrow(() -> new IOException("nothing reached the destination"));
    if (!received.body().contains(CARD)) {
      throw new IOException("the destination did not receive the card number");
    }
    return received;
  }

  /**
   * Creates the application of the demo, which may create and use tokens but not read them.
   *
   * @return its API key
   */
  private String createApplication(String management) throws IOException {
    JsonValue application =
        client.create(
            "/applications",
            """
            {"name": "Shop backend", "type": "private",
             "permissions": ["token:create", "token:use"]}\
            """,
            management);
    out.println("1. An application that may create and use tokens, but not read them");
    out.println("   application " + VaultClient.text(application, "id"));
    return VaultClient.text(application, "key");
  }

  /**
   * Creates a token of a card number.
   *
   * @return the id of the token
   */
  private String createToken(String backend) throws IOException {
    JsonValue token =
        client.create("/tokens", "{\"type\": \"token\", \"data\": \"" + CARD + "\"}", backend);
    String id = VaultClient.text(token, "id");
    out.println("2. A token that stands for the card number " + CARD);
    out.println("   token " + id);
    return id;
  }

  /**
   * Creates a proxy to the destination.
   *
   * @return the key of the proxy
   */
  private String createProxy(String management) throws IOException {
    JsonValue proxy =
        client.create(
            "/proxies",
            "{\"name\": \"Echo\", \"destination_url\": \"" + destination.url() + "\"}",
            management);
    out.println("3. A proxy to " + destination.url() + ", which returns what it receives");
    out.println("   proxy " + VaultClient.text(proxy, "id"));
    return VaultClient.text(proxy, "key");
  }

  /** Returns a request body with an expression in place of the card number. */
  private static String charge(String token) {
    return "{\"card\":\"{{" + token + "}}\",\"amount\":1000}";
  }

  private static String[] headers(String backend, String proxyKey) {
    return new String[] {
      HEADERS.apiKey(), backend, HEADERS.proxyKey(), proxyKey, "Authorization", AUTHORIZATION
    };
  }

  private void show(String sent, Received received) {
    out.println("4. A request through the proxy, over HTTPS");
    out.println();
    printColumns("what the caller sent", "what the destination received");
    printColumns("--------------------", "-----------------------------");
    printColumns("POST /proxy" + PATH, received.method() + " " + received.uri());
    printColumns(
        "Authorization: " + AUTHORIZATION,
        "Authorization: " + received.authorization().orElse("(none)"));
    printColumns(sent, received.body());
    out.println();
  }

  private void printColumns(String left, String right) {
    out.printf("   %-75s %s%n", left, right);
  }

  private void showLog(String management) throws IOException, InterruptedException {
    List<JsonValue> entries = finishedLog(management);
    out.println("5. Audit log, newest first");
    for (JsonValue entry : entries) {
      out.printf(
          "   %s  %-11s %-11s %-36s  %s%n",
          VaultClient.text(entry, "created_at"),
          VaultClient.text(entry, "operation"),
          VaultClient.text(entry, "entity_type"),
          VaultClient.text(entry, "entity_id"),
          VaultClient.text(entry, "message"));
    }
    out.println();
  }

  /**
   * Returns the log once it has the end of the invocation, which is recorded shortly after the
   * response.
   */
  private List<JsonValue> finishedLog(String management) throws IOException, InterruptedException {
    List<JsonValue> entries = log(management);
    for (int reads = 1; reads < MAX_READS && !isFinished(entries); reads++) {
      TimeUnit.MILLISECONDS.sleep(READ_INTERVAL_MS);
      entries = log(management);
    }
    return entries;
  }

  /** Returns the log without the entries about reading it. */
  private List<JsonValue> log(String management) throws IOException {
    JsonValue page = client.read(client.get("/logs?size=200", HEADERS.apiKey(), management));
    return ((JsonArray) ((JsonObject) page).properties().get("data"))
        .items().stream()
            .filter(entry -> !VaultClient.text(entry, "entity_type").equals("log"))
            .toList();
  }

  /** Returns whether the log has the entry about the end of the invocation. */
  private static boolean isFinished(List<JsonValue> entries) {
    return entries.stream()
        .anyMatch(entry -> VaultClient.text(entry, "message").startsWith("Proxy invocation ended"));
  }

  /** Prints commands to try. They contain the keys of the demo tenant. */
  private void printCommands(String management, String backend, String proxyKey, String token) {
    adminUrl.ifPresent(
        url -> {
          out.println("The console is at " + url + "/console; sign in with the management key.");
          out.println("The API reference is at " + url + "/docs.");
          out.println();
        });
    out.println("Try it yourself. Paste this to use the samples of the page Getting started:");
    out.println();
    out.println("export VAULT=" + vaultUrl);
    out.println("export MANAGEMENT=" + management);
    out.println("export DESTINATION=" + destination.url());
    out.println();
    out.println("# through the proxy: the destination receives the card number");
    out.println(
        curl("/proxy" + PATH, HEADERS.apiKey() + ": " + backend)
            + header(HEADERS.proxyKey() + ": " + proxyKey)
            + header("Content-Type: application/json")
            + " -d '"
            + charge(token)
            + "'");
    out.println("# the application cannot read the token: 403, and the denial is recorded");
    out.println(curl("/tokens/" + token, HEADERS.apiKey() + ": " + backend));
    out.println("# the audit log");
    out.println(curl("/logs?size=20", HEADERS.apiKey() + ": " + management));
    out.println();
    out.flush();
  }

  private String curl(String path, String header) {
    return "curl -s '" + vaultUrl + path + "'" + header(header);
  }

  private static String header(String header) {
    return " -H '" + header + "'";
  }
}
