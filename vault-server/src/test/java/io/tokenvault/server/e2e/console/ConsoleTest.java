package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The handling of API keys and user content by the console, in a real browser. */
@TestInstance(Lifecycle.PER_CLASS)
final class ConsoleTest {

  @AutoClose private final ConsoleFixture fixture = new ConsoleFixture();

  /** Runs in every build: signs in, opens pages and signs out. */
  @Test
  void userContentIsEscapedAndKeyIsStoredNowhere() {
    String name = "<img src=x onerror=\"document.title='broken in'\"><b>bold</b>";
    fixture.tenant.application(
        Json.object("name", name, "type", "public", "permissions", List.of("token:create")));
    try (ConsolePage console = fixture.signedIn()) {
      assertThat(console.link(name)).isVisible();
      assertThat(console.page().locator("main img, main b")).hasCount(0);
      console.link(name).click();
      console.heading(name).waitFor();
      assertThat(console.page().title()).contains("<b>bold</b>");

      console.link("Logs").click();
      console.heading("Logs").waitFor();
      assertThat(console.context().cookies()).isEmpty();
      assertThat(console.context().storageState()).doesNotContain(fixture.key);
      assertThat(console.page().evaluate("() => localStorage.length + sessionStorage.length"))
          .isEqualTo(0);
      assertThat(console.page().content()).doesNotContain(fixture.key);
      assertThat(console.page().url()).doesNotContain(fixture.key);
      console.page().reload();
      assertThat(console.field("API key")).hasValue("");

      console.field("API key").fill(fixture.key);
      console.button("Sign in").click();
      console.button("Sign out").click();
      assertThat(console.text("You are signed out.")).isVisible();
      assertThat(console.field("API key")).hasValue("");
    }
  }

  @Tag("long")
  @Test
  void pageRequestedDuringFirstRenderIsShown() {
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console
          .page()
          .evaluate(
              "() => new MutationObserver((seen, observer) => {"
                  + " if (document.querySelector('nav')) {"
                  + " observer.disconnect(); location.hash = '#/logs'; } })"
                  + ".observe(document.body, {childList: true, subtree: true})");
      console.field("API key").fill(fixture.key);
      console.button("Sign in").click();
      console.heading("Logs").waitFor();
    }
  }

  @Tag("long")
  @Test
  void pageHasTitleAndFocusOnFirstRender() {
    try (ConsolePage console = fixture.signedIn()) {
      console
          .page()
          .evaluate(
              "() => new MutationObserver((seen, observer) => {"
                  + " const heading = document.querySelector('h1');"
                  + " if (heading?.textContent === 'Logs') { observer.disconnect();"
                  + " window.atFirst = document.title"
                  + " + (document.activeElement === heading ? ', focused' : ''); } })"
                  + ".observe(document.body, {childList: true, subtree: true})");
      console.link("Logs").click();
      console.heading("Logs").waitFor();
      assertThat(console.page().evaluate("() => window.atFirst"))
          .isEqualTo("Logs \u00b7 Token Vault, focused");
    }
  }

  @Tag("long")
  @Test
  void unknownOrReplacedKeyIsRejected() {
    Client replaced = manager();
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.field("API key").fill("key_unknown");
      console.button("Sign in").click();
      assertThat(console.text("Unknown API key")).isVisible();

      console.signIn(replaced.key());
      replaceKey(replaced);
      console.link("Logs").click();
      assertThat(console.text("no longer accepts this key")).isVisible();
      assertThat(console.field("API key")).isVisible();
    }
  }

  @Tag("long")
  @Test
  void keyWithoutReadPermissionsSeesReason() {
    Client user = fixture.tenant.application("private", "token:use");
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.signIn(user.key(), "Permissions");

      assertThat(
              console.text(
                  "This key cannot read applications, proxies or logs: its application lacks"
                      + " application:read, proxy:read and log:read."))
          .isVisible();
      assertThat(console.page().locator("nav a")).hasText(new String[] {"Permissions"});
      console.open("#/applications/new", "This key cannot open this page");
      assertThat(console.page().locator("main form")).hasCount(0);
      console.assertAccessible("what a key cannot open");
      console.capture("console-refused-light-" + ConsoleFixture.WIDE);
    }
  }

  @Tag("long")
  @Test
  void keySeesOnlyPagesOfItsPermissions() {
    Client proxies = fixture.tenant.application("management", "proxy:read", "proxy:create");
    Client reader = fixture.tenant.application("management", "application:read");
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.signIn(proxies.key(), "Proxies");
      assertThat(console.link("New proxy")).isVisible();
      assertThat(console.page().locator("nav a")).hasText(new String[] {"Proxies", "Permissions"});
      assertThat(console.text("lacks application:read and log:read")).isVisible();
      console.button("Sign out").click();

      console.signIn(reader.key());
      assertThat(console.link("New application")).hasCount(0);
      assertThat(console.page().locator("nav a"))
          .hasText(new String[] {"Applications", "Permissions"});
    }
  }

  @Tag("long")
  @Test
  void lateRejectionOfEarlierKeyDoesNotEndNewSession() {
    Client replaced = manager();
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.signIn(replaced.key());
      replaceKey(replaced);
      List<Route> held = new ArrayList<>();
      console.page().route("**/logs?*", held::add);
      console.link("Logs").click();
      assertThat(console.text("no longer accepts this key")).isVisible();
      console.page().waitForCondition(() -> !held.isEmpty());

      console.field("API key").fill(fixture.key);
      console.button("Sign in").click();
      console.heading("Logs").waitFor();
      console
          .page()
          .waitForResponse(response -> response.status() == 401, () -> held.get(0).resume())
          .finished();
      console.open("#/permissions", "Permissions");
      assertThat(console.button("Sign out")).isVisible();
    }
  }

  private Client manager() {
    return fixture.tenant.application("management", "application:read", "log:read");
  }

  private void replaceKey(Client client) {
    fixture.tenant.management().post("/applications/" + client.id() + "/regenerate").expect(200);
  }
}
