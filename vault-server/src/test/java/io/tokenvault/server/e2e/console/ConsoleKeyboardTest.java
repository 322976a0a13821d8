package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.tokenvault.server.e2e.fixture.KeyboardDriver;
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
  private final ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE);
  private final KeyboardDriver keyboard = new KeyboardDriver(console.page());

  @Test
  void everyPageIsOperatedByKeyboard() {
    try (console) {
      signIn(fixture.key, "Applications");
      operateApplications();
      operateProxies();
      operateLog();
      follow("Permissions", "Permissions");
      press(console.button("Sign out"));
      assertThat(console.field("API key")).isFocused();

      // The address still names the previous page.
      signIn(fixture.tenant.owner().key(), "Permissions");
      follow("Tokens", "Tokens");
      operateTokens();
      createToken();
    }
  }

  private void signIn(String key, String heading) {
    keyboard.tabTo(console.field("API key")).type(key);
    press(console.button("Sign in"));
    assertOpened(heading);
  }

  /** The focus follows rules and conditions that are added, moved or removed. */
  private void operateApplications() {
    keyboard.tabTo(console.link("Skip to content")).press("Enter");
    assertThat(console.page().locator("#main")).isFocused();
    keyboard.tabTo(console.field("Type")).press("ArrowDown");
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
    keyboard.tabTo(console.field("Type")).press("ArrowDown").press("ArrowDown");
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

  private void operateProxies() {
    keyboard.tabTo(console.field("Name contains")).type("acq").press("Enter");
    assertThat(console.page()).hasURL(Pattern.compile("name=acq"));
    follow("New proxy", "New proxy");
    keyboard.tabTo(console.field("Name")).type("By keyboard");
    keyboard.tabTo(console.field("Destination URL")).press("End").type("nowhere");
    press(console.button("Start with an empty request transform"));
    assertThat(console.requestTransform()).isFocused();
    keyboard.press("Control+Home").type("// typed").press("Control+A").press("Delete");
    assertThat(console.button("Start with an empty request transform")).isVisible();
    press(console.button("Add a value"));
    assertThat(console.page().locator(".condition").getByLabel("Name")).isFocused();
    press(console.button("Remove configuration 1"));
    assertThat(console.button("Add a value")).isFocused();
    press(console.button("Create proxy"));
    assertThat(console.field("Destination URL")).isFocused();
    keyboard.press("Control+A").type("https://payments.test/").press("Enter");
    assertOpened("By keyboard");
    press(console.button("Show"));
    press(console.button("Run"));
    assertThat(console.page().locator(".report")).containsText("Result");
    press(console.button("Delete…"));
    keyboard.tabTo(console.field("Type By keyboard to confirm")).type("By keyboard").press("Enter");
    assertOpened("Proxies");
  }

  private void operateLog() {
    for (int i = 0; i < 30; i++) {
      fixture.backend.get("/tokens/" + fixture.card).expect(200);
    }
    follow("Logs", "Logs");
    keyboard.tabTo(console.field("Entity id")).type(fixture.card).press("Enter");
    assertThat(console.page().locator(".log tbody tr")).hasCount(25);
    keyboard.tabTo(console.field("Exact times, in UTC")).press("Space");
    assertThat(console.page().locator(".log time").first())
        .hasText(Pattern.compile("\\d{4}-.*\\+00:00"));
    press(console.button("Older"));
    assertThat(console.text("Page 2, the last")).isVisible();
    assertThat(console.button("Older")).isFocused();
    press(console.button("Newer"));
    assertThat(console.text("Page 1")).isVisible();
    keyboard.tabTo(console.link(fixture.card).first()).press("Enter");
    assertOpened(fixture.card);
    follow("All entries", "Logs");
  }

  private void operateTokens() {
    keyboard.tabTo(console.field("Type"));
    for (int i = 0; i < 4; i++) {
      keyboard.press("ArrowDown");
    }
    assertThat(console.field("Type")).hasValue("card_number");
    keyboard.tabTo(console.field("Container")).type("/pci/");
    press(console.button("Show"));
    assertThat(console.page().locator("tbody tr")).hasCount(1);
    follow(fixture.token, fixture.token);
    Locator data =
        console
            .page()
            .getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Masked data"));
    keyboard.tabTo(data);
    follow("Tokens", "Tokens");
  }

  private void createToken() {
    follow("New test token", "New test token");
    press(console.button("Create token"));
    assertThat(console.field("Card number")).isFocused();
    press(console.button("Insert test data"));
    press(console.button("Add a value"));
    keyboard.type("purpose").press("Tab");
    keyboard.type("a test");
    press(console.button("Create token"));
    assertOpened("Token created");
    press(console.button("Create another"));
    assertOpened("New test token");
    assertThat(console.field("Card number")).hasValue("");
    follow("Back", "Tokens");
    assertThat(console.page().locator("tbody tr").first()).containsText("XXXXXXXXXXXX4242");
  }

  /** Presses a button with Space; Enter would also submit a form from one of its fields. */
  private void press(Locator button) {
    keyboard.tabTo(button).press("Space");
  }

  private void follow(String link, String heading) {
    keyboard.tabTo(console.link(link).first()).press("Enter");
    assertOpened(heading);
  }

  /** Asserts that the page is shown and that its heading has the focus. */
  private void assertOpened(String heading) {
    assertThat(console.heading(heading)).isFocused();
    assertThat(console.page().title()).endsWith("Token Vault");
    assertThat(console.text("Loading…")).hasCount(0);
  }
}
