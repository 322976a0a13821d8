package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.tokenvault.server.e2e.fixture.Keys;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Operates every page of the console by keyboard only. {@code ConsoleApplicationsTest} creates,
 * rekeys and deletes an application by keyboard.
 */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
final class ConsoleKeyboardTest {

  @AutoClose private final ConsoleFixture fixture = new ConsoleFixture();
  private final ConsolePage console = fixture.window(ColorScheme.LIGHT, ConsoleFixture.WIDE);
  private final Keys keys = new Keys(console.page());

  @Test
  void everyPageIsOperatedByKeyboard() {
    try (console) {
      signIn(fixture.key, "Applications");
      applications();
      proxies();
      log();
      follow("Permissions", "Permissions");
      press(console.button("Sign out"));
      assertThat(console.field("API key")).isFocused();

      // The address still names the previous page.
      signIn(fixture.tenant.owner().key(), "Permissions");
      follow("Tokens", "Tokens");
      tokens();
      newToken();
    }
  }

  private void signIn(String key, String heading) {
    keys.to(console.field("API key")).type(key);
    press(console.button("Sign in"));
    arrived(heading);
  }

  /** The focus follows rules and conditions that are added, moved or removed. */
  private void applications() {
    keys.to(console.link("Skip to content")).press("Enter");
    assertThat(console.page().locator("#main")).isFocused();
    keys.to(console.field("Type")).press("ArrowDown");
    assertThat(console.field("Type")).hasValue("private");
    follow("Shop backend", "Shop backend");
    press(console.button("Add a rule"));
    assertThat(console.page().locator(".rule").last().getByLabel("Description")).isFocused();
    press(console.button("Move rule 3 up"));
    assertThat(console.button("Move rule 2 up")).isFocused();
    press(console.button("Remove rule 2"));
    assertThat(console.button("Remove rule 3")).isFocused();
    press(console.button("Ask the vault"));
    assertThat(console.page().locator(".ask .verdict")).isVisible();
    console.page().onceDialog(dialog -> dialog.accept());
    follow("Discard", "Applications");
    follow("New application", "New application");
    keys.to(console.field("Type")).press("ArrowDown").press("ArrowDown");
    assertThat(console.field("Type")).hasValue("expiring");
    press(console.button("Add a rule"));
    press(console.button("Add a condition"));
    Locator conditions = console.page().locator(".condition");
    assertThat(conditions.last().getByLabel("Token attribute")).isFocused();
    press(console.button("Remove condition 2"));
    assertThat(conditions).hasCount(1);
    assertThat(console.button("Add a condition")).isFocused();
    console.page().onceDialog(dialog -> dialog.accept());
    follow("Proxies", "Proxies");
  }

  private void proxies() {
    keys.to(console.field("Name contains")).type("acq").press("Enter");
    assertThat(console.page()).hasURL(Pattern.compile("name=acq"));
    follow("New proxy", "New proxy");
    keys.to(console.field("Name")).type("By keyboard");
    keys.to(console.field("Destination URL")).press("End").type("nowhere");
    press(console.button("Start with an empty request transform"));
    assertThat(console.requestTransform()).isFocused();
    keys.press("Control+Home").type("// typed").press("Control+A").press("Delete");
    assertThat(console.button("Start with an empty request transform")).isVisible();
    press(console.button("Add a value"));
    assertThat(console.page().locator(".condition").getByLabel("Name")).isFocused();
    press(console.button("Remove configuration 1"));
    assertThat(console.button("Add a value")).isFocused();
    press(console.button("Create proxy"));
    assertThat(console.field("Destination URL")).isFocused();
    keys.press("Control+A").type("https://payments.test/").press("Enter");
    arrived("By keyboard");
    press(console.button("Show"));
    press(console.button("Run"));
    assertThat(console.page().locator(".report")).containsText("Result");
    press(console.button("Delete…"));
    keys.to(console.field("Type By keyboard to confirm")).type("By keyboard").press("Enter");
    arrived("Proxies");
  }

  private void log() {
    for (int i = 0; i < 30; i++) {
      fixture.backend.get("/tokens/" + fixture.card).expect(200);
    }
    follow("Logs", "Logs");
    keys.to(console.field("Entity id")).type(fixture.card).press("Enter");
    assertThat(console.page().locator(".log tbody tr")).hasCount(25);
    keys.to(console.field("Exact times, in UTC")).press("Space");
    assertThat(console.page().locator(".log time").first())
        .hasText(Pattern.compile("\\d{4}-.*\\+00:00"));
    press(console.button("Older"));
    assertThat(console.text("Page 2, the last")).isVisible();
    assertThat(console.button("Older")).isFocused();
    press(console.button("Newer"));
    assertThat(console.text("Page 1")).isVisible();
    keys.to(console.link(fixture.card).first()).press("Enter");
    arrived(fixture.card);
    follow("All entries", "Logs");
  }

  private void tokens() {
    keys.to(console.field("Type"));
    for (int i = 0; i < 4; i++) {
      keys.press("ArrowDown");
    }
    assertThat(console.field("Type")).hasValue("card_number");
    keys.to(console.field("Container")).type("/pci/");
    press(console.button("Show"));
    assertThat(console.page().locator("tbody tr")).hasCount(1);
    follow(fixture.token, fixture.token);
    Locator data =
        console
            .page()
            .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Masked data"));
    keys.to(data);
    follow("Tokens", "Tokens");
  }

  private void newToken() {
    follow("New test token", "New test token");
    press(console.button("Create token"));
    assertThat(console.field("Card number")).isFocused();
    press(console.button("Insert test data"));
    press(console.button("Add a value"));
    keys.type("purpose").press("Tab");
    keys.type("a test");
    press(console.button("Create token"));
    arrived("Token created");
    press(console.button("Create another"));
    arrived("New test token");
    assertThat(console.field("Card number")).hasValue("");
    follow("Back", "Tokens");
    assertThat(console.page().locator("tbody tr").first()).containsText("XXXXXXXXXXXX4242");
  }

  /** Presses a button with Space; Enter would also submit a form from one of its fields. */
  private void press(Locator button) {
    keys.to(button).press("Space");
  }

  private void follow(String link, String heading) {
    keys.to(console.link(link).first()).press("Enter");
    arrived(heading);
  }

  /** Asserts that the page is shown and that its heading has the focus. */
  private void arrived(String heading) {
    assertThat(console.heading(heading)).isFocused();
    assertThat(console.page().title()).endsWith("Token Vault");
    assertThat(console.text("Loading…")).hasCount(0);
  }
}
