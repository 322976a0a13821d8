package io.tokenvault.server.e2e.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.options.ColorScheme;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;

/** A tenant with an application, tokens and a proxy, and browser windows with its console. */
final class ConsoleFixture implements AutoCloseable {

  static final int WIDE = 1280;
  static final int NARROW = 360;
  static final String CARD = "4242424242424242";

  private static final int HEIGHT = 900;
  private static final String TRANSFORM =
      """
      // The acquirer wants the card under its own names.
      module.exports = async function ({ args, configuration }) {
        const { card, amount } = args.body;
        console.log('charging', amount);
        return {
          body: {
            merchant: configuration.MERCHANT_ID,
            pan: card,
            cents: Math.round(amount * 100),
          },
        };
      };
      """;

  private final Chromium chromium = Chromium.start();
  final TenantFixture tenant = RunningVault.shared().newTenant();
  final String key = tenant.management().key();
  final Client backend;
  final String token;
  final String card;
  final JsonNode proxy;

  ConsoleFixture() {
    backend =
        tenant.application(
            TenantFixture.draft("private", "token:create", "token:use")
                .put("name", "Shop backend")
                .set(
                    "rules",
                    Json.of(
                        List.of(
                            rule(1, "Card numbers stay masked", "/pci/high/", "mask"),
                            rule(2, "Support staff may read addresses", "/pii/", "reveal")))));
    token = backend.token(Json.object("type", "card_number", "data", CARD));
    card =
        backend.token(
            Json.object(
                "type", "card",
                "data",
                    Json.object("number", CARD, "expiration_month", 12, "expiration_year", 2030),
                "metadata", Json.object("customer", "4711", "source", "checkout")));
    proxy =
        tenant.proxy(
            TenantFixture.transformingDraft("https://payments.test/v1", TRANSFORM)
                .put("name", "Acquirer")
                .set("configuration", Json.object("MERCHANT_ID", "m-1")));
    backend.get("/tokens/" + token).expect(200);
  }

  private static JsonNode rule(
      int priority, String description, String container, String transform) {
    return TenantFixture.rule(priority, container, transform, "token:read")
        .put("description", description);
  }

  /** Opens a window with the sign-in page. */
  ConsolePage openWindow(ColorScheme colors, int width) {
    return new ConsolePage(chromium, tenant.vault().adminUrl() + "/console", colors, width, HEIGHT);
  }

  /** Opens a wide window with light colors and signs in. */
  ConsolePage signedIn() {
    return openWindow(ColorScheme.LIGHT, WIDE).signIn(key);
  }

  String proxyAddress() {
    return "#/proxies/" + proxy.get("id").asText();
  }

  String backendAddress() {
    return "#/applications/" + backend.id();
  }

  @Override
  public void close() {
    chromium.close();
  }
}
