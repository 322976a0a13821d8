package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import io.tokenvault.server.e2e.fixture.Client;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Proxies with their transforms, and the audit log, in the console. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
final class ConsoleProxiesTest {

  private static final int PHONE = 375;

  @AutoClose private final ConsoleFixture fixture = new ConsoleFixture();

  @Test
  void fastTypingLosesNoCharacters() {
    try (ConsolePage console = fixture.signedIn().open(fixture.proxyAddress(), "Acquirer")) {
      Locator editor = console.requestTransform();
      editor.click();
      console.page().keyboard().press("Control+Home");
      editor.evaluate(
          "async () => { for (const character of '// fast ') {"
              + " document.execCommand('insertText', false, character);"
              + " await new Promise(next => { const channel = new MessageChannel();"
              + " channel.port1.onmessage = next; channel.port2.postMessage(0); }); } }");
      console.button("Save changes").click();
      assertThat(console.text("Saved. Effective")).isVisible();
      String path = "/proxies/" + fixture.proxy.path("id").asText();
      JsonNode saved = fixture.tenant.management().get(path).expect(200).json();
      assertThat(saved.at("/request_transform/code").asText())
          .startsWith("// fast // The acquirer wants");
    }
  }

  @Test
  void invalidTransformIsRejectedAndDryRunShowsMasks() {
    try (ConsolePage console = fixture.signedIn().open(fixture.proxyAddress(), "Acquirer")) {
      Locator editor = console.requestTransform();
      editor.click();
      console.page().keyboard().press("Control+Home");
      console.page().keyboard().insertText("eval('1');\n");
      console.button("Save changes").click();
      assertThat(console.text("line 1").first()).isVisible();

      editor.click();
      console.page().keyboard().press("Control+Home");
      console.page().keyboard().press("Shift+ArrowDown");
      console.page().keyboard().press("Delete");
      console.button("Save changes").click();
      assertThat(console.text("Saved. Effective")).isVisible();

      console
          .field("Request body")
          .fill("{\"card\": \"{{" + fixture.token + "}}\", \"amount\": 12.34}");
      console.field("Called by").selectOption(fixture.backend.id());
      console.button("Run").click();
      Locator report = console.page().locator(".report");
      assertThat(report).containsText("XXXXXXXXXXXX4242");
      assertThat(report).containsText("\"cents\": 1234");
      assertThat(report).containsText("charging 12.34");
      assertThat(report).not().containsText(ConsoleFixture.CARD);
      console.captureAt("Result", "console-dry-run");
    }
  }

  @Test
  void logNamesApplicationsAndLinksOnlyEntitiesWithPages() {
    String host = "payments.test";
    fixture.backend.call("GET", "/proxy").to("https://" + host + ":9").send();
    try (ConsolePage console = fixture.signedIn()) {
      List<String> lookups = console.requests("/applications?id=");
      console.open("#/logs?entity_type=proxy", "Logs");
      Locator invoked =
          console.page().locator(".log tbody tr").filter(text("Proxy invoked")).first();
      Locator actor = invoked.locator("td").nth(3);
      assertThat(actor.getByRole(AriaRole.LINK)).hasText("Shop backend");
      assertThat(actor.locator("code")).hasText(fixture.backend.id());
      Locator entity = invoked.locator("td").nth(2);
      assertThat(entity.locator("code")).hasText(host);
      assertThat(entity.getByRole(AriaRole.LINK)).hasCount(1);
      assertThat(entity.getByRole(AriaRole.LINK)).hasText("history");
      assertThat(lookups).as("lookups of names per page").hasSize(1);
      console.page().setViewportSize(PHONE, 900);
      console.assertAccessible("the log on a phone");
      console.capture("console-logs-light-" + PHONE);
    }
  }

  @Test
  void logNamesProxiesExceptDeletedOnes() {
    Client manager = fixture.tenant.management();
    String deleted = fixture.tenant.proxy("https://a.test").get("id").asText();
    manager.delete("/proxies/" + deleted).expect(204);
    try (ConsolePage console = fixture.signedIn()) {
      List<String> lookups = console.requests("/proxies?id=");
      console.open("#/logs?entity_type=proxy&operation=create", "Logs");
      Locator rows = console.page().locator(".log tbody tr");
      Locator namedCell = rows.filter(text(fixture.proxy.get("id").asText())).locator("td").nth(2);
      assertThat(namedCell.getByRole(AriaRole.LINK).first()).hasText("Acquirer");
      assertThat(namedCell.getByRole(AriaRole.LINK).first())
          .hasAttribute("href", fixture.proxyAddress());
      Locator deletedCell = rows.filter(text(deleted)).locator("td").nth(2);
      assertThat(deletedCell.locator("code")).hasText(deleted);
      assertThat(deletedCell.getByRole(AriaRole.LINK)).hasText("history");
      assertThat(lookups).as("lookups of names per page").hasSize(1);
    }
  }

  private static Locator.FilterOptions text(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  @Test
  void logIsFilteredPagedAndLinkedToEntities() {
    for (int i = 0; i < 30; i++) {
      fixture.backend.get("/tokens/" + fixture.token).expect(200);
    }
    try (ConsolePage console = fixture.signedIn().open(fixture.backendAddress(), "Shop backend")) {
      console.link("History").click();
      console.heading("Logs").waitFor();
      assertThat(console.field("Entity id")).hasValue(fixture.backend.id());
      assertThat(console.text("Application created")).isVisible();
      console.page().locator(".log a[href='" + fixture.backendAddress() + "']").first().click();
      console.heading("Shop backend").waitFor();

      console.open("#/logs", "Logs");
      console.field("Entity type").selectOption("card_number");
      console.field("Entity id").fill(fixture.token);
      console.button("Show").click();
      Locator first = console.page().locator(".log tbody tr").first().locator("td").first();
      // Until the filter applies, the newest entry is that of the console's own request for the
      // log.
      assertThat(console.page().locator(".log tbody tr").first()).containsText(fixture.token);
      assertThat(console.page().locator(".log tbody tr")).hasCount(25);
      String newest = first.locator("time").getAttribute("title");
      console.button("Older").click();
      assertThat(console.text("Page 2, the last")).isVisible();
      assertThat(first.locator("time")).not().hasAttribute("title", newest);
      console.button("Newer").click();
      assertThat(first.locator("time")).hasAttribute("title", newest);
    }
  }
}
