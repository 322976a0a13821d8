package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import io.tokenvault.server.e2e.fixture.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Tokens in the console, and the addresses of its pages. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
final class ConsoleTokensTest {

  private static final String MASK = "XXXXXXXXXXXX4242";

  @AutoClose private final ConsoleFixture fixture = new ConsoleFixture();

  @Test
  void tokensAreShownWithMasks() {
    Client reader = fixture.tenant.reader("reveal");
    List<String> bodies = new ArrayList<>();
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console
          .page()
          .onResponse(
              response -> {
                if (response.url().contains("/tokens")) {
                  bodies.add(response.text());
                }
              });
      console.signIn(reader.key(), "Tokens");
      console.field("Type").selectOption("card");
      console.field("Container").fill("/pci/");
      console.button("Show").click();
      Locator rows = console.page().locator("tbody tr");
      assertThat(rows).hasCount(1);
      assertThat(rows).containsText("\"number\":\"" + MASK + "\"");
      assertThat(console.page()).hasURL(Pattern.compile("type=card&container="));

      console.link(fixture.card).click();
      console.heading(fixture.card).waitFor();
      assertThat(console.page().locator("pre")).containsText(MASK);
      assertThat(console.page().locator("dl").first()).containsText("/pci/high/");
      assertThat(console.page().locator("dl").first()).containsText(fixture.backend.id());
      assertThat(console.page().locator("dl").last()).containsText("4711");

      assertThat(bodies)
          .hasSizeGreaterThan(2)
          .noneMatch(each -> each.contains(ConsoleFixture.CARD));
      assertThat(console.page().content()).doesNotContain(ConsoleFixture.CARD);
    }
    JsonNode log =
        fixture.tenant.management().get("/logs?actor_id=" + reader.id()).expect(200).json();
    assertThat(log.at("/data/0/entity_id").asText()).isEqualTo(fixture.card);
    assertThat(log.at("/data/0/operation").asText()).isEqualTo("read");
  }

  @Test
  void testTokenIsCreatedAfterErrorsAppearAtTheirFields() {
    Client owner = fixture.tenant.owner();
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.signIn(owner.key(), "Tokens").link("New test token").click();
      console.field("Card number").fill("4242424242424241");
      console.field("Expiration month").fill("13");
      console.field("Containers").fill("/test/ nowhere");
      console.button("Create token").click();
      assertThat(console.field("Card number")).isFocused();
      assertThat(fieldGroup(console, "Card number")).containsText("check digit");
      assertThat(fieldGroup(console, "Expiration month")).containsText("1 to 12");
      assertThat(fieldGroup(console, "Containers")).containsText("[1]");

      console.field("Mask, as JSON").fill("{{ data.number }}");
      console.button("Create token").click();
      assertThat(fieldGroup(console, "Mask, as JSON")).containsText("must be JSON");

      console.button("Insert test data").click();
      console.field("Containers").fill("/test/high/");
      console.field("Mask, as JSON").fill("{\"last\": \"{{ data.number | last4 }}\"}");
      console.field("Expires").selectOption("in 1 hour");
      console.button("Add a value").click();
      console.field("Name").fill("purpose");
      console.field("Value").fill("a test");
      console.button("Create token").click();
      console.heading("Token created").waitFor();
      assertThat(console.page().locator("pre")).hasText("{\n  \"last\": \"4242\"\n}");
      assertThat(console.page().content()).doesNotContain(ConsoleFixture.CARD);

      console.link("Open its page").click();
      assertThat(console.page().locator("dl").last()).containsText("a test");
      String id = console.page().url().replaceAll(".*/", "");
      JsonNode stored = owner.get("/tokens/" + id).expect(200).json();
      assertThat(stored.at("/data/number").asText()).isEqualTo(ConsoleFixture.CARD);
      assertThat(stored.at("/containers/0").asText()).isEqualTo("/test/high/");
      assertThat(stored.has("expires_at")).isTrue();
    }
  }

  /** Returns the element with the hint and the errors of a field. */
  private static Locator fieldGroup(ConsolePage console, String label) {
    return console.field(label).locator("xpath=..");
  }

  @Test
  void keyWithCreatePermissionSeesForm() {
    Client creator = fixture.tenant.application("public", "token:create");
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.signIn(creator.key(), "Tokens");
      assertThat(console.page().locator("nav a")).hasText(new String[] {"Tokens", "Permissions"});
      console.link("New test token").click();
      console.field("Type").selectOption("token");
      console.field("Data, as JSON").fill("{\"a\": 1}");
      console.button("Create token").click();
      console.heading("Token created").waitFor();
      assertThat(console.text("Not shown")).isVisible();
      assertThat(console.link("Open its page")).hasCount(0);
    }
  }

  @Test
  void keyWithLogPermissionSeesTokenHistory() {
    try (ConsolePage console = fixture.signedIn().open("#/logs?operation=create", "Logs")) {
      console.link(fixture.token).click();
      console.heading(fixture.token).waitFor();
      assertThat(console.text("can read the log, but no tokens")).isVisible();
      assertThat(console.page().locator(".log tbody tr").first()).containsText("Token retrieved");
      assertThat(console.page().locator(".log tbody tr").last()).containsText("Token created");
      console.open("#/tokens", "This key cannot open this page");
    }
  }

  @Test
  void addressIsOpenedAfterSignIn() {
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      assertOpens(console, "#/applications?type=private", "Applications");
      assertThat(console.field("Type")).hasValue("private");
      assertOpens(console, fixture.backendAddress(), "Shop backend");
      assertOpens(console, "#/applications/new", "New application");
      assertOpens(console, "#/proxies?name=acq", "Proxies");
      assertThat(console.field("Name contains")).hasValue("acq");
      assertOpens(console, fixture.proxyAddress(), "Acquirer");
      assertOpens(console, "#/logs?operation=create", "Logs");
      assertThat(console.field("Operation")).hasValue("create");
      assertOpens(console, "#/permissions", "Permissions");
      assertOpens(console, "#/applications/" + fixture.token, "Application");
      assertThat(console.page().locator("h1")).isFocused();
      String key = fixture.backend.key();
      console.openSignedOut("#/tokens?type=card_number&container=/pci/").signIn(key, "Tokens");
      assertThat(console.field("Container")).hasValue("/pci/");
      assertThat(console.link(fixture.token)).isVisible();
      console.openSignedOut("#/tokens/" + fixture.card).signIn(key, fixture.card);
      console.openSignedOut("#/tokens/new").signIn(key, "New test token");
    }
  }

  private void assertOpens(ConsolePage console, String address, String heading) {
    console.openSignedOut(address).signIn(fixture.key, heading);
  }

  @Test
  void laterPageOfLogHasAddress() {
    for (int i = 0; i < 30; i++) {
      fixture.backend.get("/tokens/" + fixture.card).expect(200);
    }
    try (ConsolePage console = fixture.signedIn()) {
      console.open("#/logs?entity_id=" + fixture.card, "Logs").button("Older").click();
      assertThat(console.text("Page 2, the last")).isVisible();
      String address = console.page().url().replaceAll(".*#", "#");
      Locator rows = console.page().locator(".log tbody tr");
      String last = rows.last().locator("time").getAttribute("title");

      assertOpens(console, address, "Logs");
      assertThat(console.text("A later page, the last")).isVisible();
      assertThat(rows.last().locator("time")).hasAttribute("title", last);
      console.button("Newest").click();
      assertThat(console.text("Page 1")).isVisible();
    }
  }
}
