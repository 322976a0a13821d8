package io.tokenvault.server.e2e.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.options.ColorScheme;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;

/** A vault with a few things in it, and browsers that look at it. */
final class ConsoleFixture implements AutoCloseable {

  static final int WIDE = 1280;
  static final int NARROW = 360;
  static final String CARD = "4242424242424242";

  private static final int HEIGHT = 900;

  private final Chromium chromium = Chromium.start();
  final TenantFixture tenant = RunningVault.shared().newTenant();

  final String key = tenant.management().key();
  final Client backend;
  final String token;

  /** A card with metadata. */
  final String card;

  final JsonNode proxy;

  ConsoleFixture() {
    backend =
        tenant.application(
            Json.object(
                "name",
                "Shop backend",
                "type",
                "private",
                "permissions",
                List.of("token:create", "token:use"),
                "rules",
                List.of(
                    rule(1, "Card numbers stay masked", "/pci/high/", "mask"),
                    rule(2, "Support staff may read addresses", "/pii/", "reveal"))));
    token = backend.token(Json.object("type", "card_number", "data", CARD));
    card =
        backend.token(
            Json.object(
                "type",
                "card",
                "data",
                Json.object("number", CARD, "expiration_month", 12, "expiration_year", 2030),
                "metadata",
                Json.object("customer", "4711", "source", "checkout")));
    proxy =
        tenant.proxy(
            Json.object(
                "name",
                "Acquirer",
                "destination_url",
                "https://payments.test/v1",
                "configuration",
                Json.object("MERCHANT_ID", "m-1"),
                "request_transform",
                Json.object("code", transform())));
    backend.get("/tokens/" + token).expect(200);
  }

  private static JsonNode rule(
      int priority, String description, String container, String transform) {
    return Json.object(
        "description", description,
        "priority", priority,
        "container", container,
        "transform", transform,
        "permissions", List.of("token:read"));
  }

  private static String transform() {
    return "// The acquirer wants the card under its own names.\n"
        + "module.exports = async function ({ args, configuration }) {\n"
        + "  const { card, amount } = args.body;\n"
        + "  console.log('charging', amount);\n"
        + "  return {\n"
        + "    body: {\n"
        + "      merchant: configuration.MERCHANT_ID,\n"
        + "      pan: card,\n"
        + "      cents: Math.round(amount * 100),\n"
        + "    },\n"
        + "  };\n"
        + "};\n";
  }

  /** A window at the sign-in. */
  ConsolePage window(ColorScheme colours, int width) {
    return new ConsolePage(
        chromium, tenant.vault().adminUrl() + "/console", colours, width, HEIGHT);
  }

  /** A wide, light window with the key given. */
  ConsolePage opened() {
    return window(ColorScheme.LIGHT, WIDE).open(key);
  }

  String proxyPlace() {
    return "#/proxies/" + proxy.get("id").asText();
  }

  String backendPlace() {
    return "#/applications/" + backend.id();
  }

  @Override
  public void close() {
    chromium.close();
  }
}
