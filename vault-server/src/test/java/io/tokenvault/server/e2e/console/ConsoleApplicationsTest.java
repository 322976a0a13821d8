package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.KeyboardDriver;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Applications and their rules in the console, by pointer and by keyboard. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
final class ConsoleApplicationsTest {

  @AutoClose private final ConsoleFixture fixture = new ConsoleFixture();

  @Test
  void rulesAreExplainedWhileEdited() {
    try (ConsolePage console = fixture.signedIn().open("#/applications/new", "New application")) {
      console.button("Add a rule").click();
      Locator rule = console.page().locator(".rule").first();
      assertThat(rule).containsText("Grants nothing yet");

      rule.getByLabel("token:read").check();
      rule.getByLabel("Container").fill("/pci/");
      rule.getByLabel("Responses show").selectOption("reveal");
      assertThat(rule)
          .containsText(
              "Can read tokens in /pci/ and everything under it. Responses show plaintext.");

      console.button("Add a rule").click();
      Locator second = console.page().locator(".rule").nth(1);
      second.getByLabel("token:read").check();
      second.getByLabel("Container").fill("/pci/high/");
      assertThat(second).containsText("Never applies: rule 1 decides first");

      console.button("Move rule 2 up").click();
      assertThat(console.text("Never applies")).isHidden();

      console.field("Token's container").fill("/pci/high/");
      assertThat(console.page().locator(".verdict")).containsText("the response shows the mask");
      console.field("Token's container").fill("/pci/low/");
      assertThat(console.page().locator(".verdict")).containsText("the response shows plaintext");
      console.field("Token's container").fill("/pii/");
      assertThat(console.page().locator(".verdict")).containsText("Denied");
      discardChanges(console);
    }
  }

  private static void discardChanges(ConsolePage console) {
    console.page().onDialog(dialog -> dialog.accept());
    console.link("Discard").click();
    console.heading("Applications").waitFor();
  }

  @Test
  void applicationIsCreatedRekeyedAndDeletedByKeyboard() {
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      KeyboardDriver keyboard = new KeyboardDriver(console.page());
      keyboard.tabTo(console.field("API key")).type(fixture.key).press("Enter");
      console.heading("Applications").waitFor();
      keyboard.tabTo(console.link("New application")).press("Enter");
      console.heading("New application").waitFor();
      keyboard.tabTo(console.field("Name")).type("By keyboard");
      keyboard.tabTo(console.page().getByLabel("token:create").first()).press("Space");
      keyboard.tabTo(console.button("Create application")).press("Enter");

      String first = console.page().locator(".secret").textContent();
      assertThat(first).startsWith("key_");
      keyboard.tabTo(console.button("I have stored it")).press("Enter");
      console.heading("By keyboard").waitFor();
      assertThat(console.page().content()).doesNotContain(first);

      keyboard.tabTo(console.button("Replace key…")).press("Enter");
      keyboard.tabTo(console.button("Replace the key")).press("Enter");
      assertThat(console.page().locator(".secret")).not().hasText(first);
      keyboard.tabTo(console.button("I have stored it")).press("Enter");
      fixture.tenant.vault().call("GET", "/permissions").key(first).send().expect(401);

      keyboard.tabTo(console.button("Delete…")).press("Enter");
      // Escape has no effect before the dialog is open.
      console.field("Type By keyboard to confirm").waitFor();
      keyboard.press("Escape");
      // The button has the focus before the page has removed the dialog.
      assertThat(console.page().locator("dialog")).hasCount(0);
      keyboard.tabTo(console.button("Delete…")).press("Enter");
      keyboard.tabTo(console.field("Type By keyboard to confirm"));
      keyboard.type("By keyboard").press("Enter");
      console.heading("Applications").waitFor();
      assertThat(console.link("By keyboard")).isHidden();
    }
  }

  @Test
  void applicationIsChangedAndErrorsAppearAtTheirFields() {
    Client changed = fixture.tenant.application("private", "token:create");
    String address = "#/applications/" + changed.id();
    try (ConsolePage console = fixture.signedIn().open(address, "private test")) {
      console.field("Name").fill("Changed");
      console.button("Add a rule").click();
      Locator rule = console.page().locator(".rule");
      rule.getByLabel("Description").fill("Reads cards");
      rule.getByLabel("Container").fill("pci");
      rule.getByLabel("token:read").check();
      console.button("Save changes").click();
      assertThat(rule).containsText("must be / or segments");

      rule.getByLabel("Container").fill("/pci/");
      console.button("Save changes").click();
      assertThat(console.text("Saved. Effective")).isVisible();
      JsonNode saved =
          fixture.tenant.management().get("/applications/" + changed.id()).expect(200).json();
      assertThat(saved.get("name").asText()).isEqualTo("Changed");
      assertThat(saved.at("/rules/0/container").asText()).isEqualTo("/pci/");
    }
  }

  @Test
  void shownDecisionMatchesVault() {
    Client client =
        fixture.tenant.applicationWithRules(
            TenantFixture.rule(1, "/pci/high/", "mask", "token:read"),
            TenantFixture.rule(2, "/pii/", "reveal", "token:read"),
            TenantFixture.rule(3, "/general/", "redact", "token:read", "token:search"),
            TenantFixture.rule(4, "/pii/low/", "redact", "token:read"));
    Client owner = fixture.tenant.owner();
    String address = "#/applications/" + client.id();
    try (ConsolePage console = fixture.signedIn().open(address, "ruled")) {
      for (String container :
          List.of("/pci/high/", "/pci/", "/pci/high/eu/", "/pii/low/", "/pii2/", "/general/low/")) {
        String token =
            owner.token(
                Json.object(
                    "type",
                    "card_number",
                    "data",
                    ConsoleFixture.CARD,
                    "containers",
                    List.of(container)));
        console.field("Token's container").fill(container);

        assertThat(console.page().locator(".verdict").first())
            .containsText(expectedVerdict(client.get("/tokens/" + token)));
      }
    }
  }

  private static String expectedVerdict(Response read) {
    if (read.status() == 403) {
      return "Denied";
    }
    JsonNode data = read.expect(200).json().path("data");
    if (data.isMissingNode()) {
      return "the response shows no data";
    }
    return data.asText().equals(ConsoleFixture.CARD)
        ? "the response shows plaintext"
        : "shows the mask";
  }
}
