package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.ColorScheme;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every page of the console, with light and dark colors, in wide and narrow windows. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
final class ConsoleAppearanceTest {

  @AutoClose private final ConsoleFixture fixture = new ConsoleFixture();

  @ParameterizedTest
  @CsvSource({"LIGHT, 1280", "DARK, 1280", "LIGHT, 360", "DARK, 360"})
  void everyPageIsAccessibleAndFits(ColorScheme colors, int width) {
    String suffix = "-" + colors.name().toLowerCase(Locale.ROOT) + "-" + width;
    try (ConsolePage console = fixture.openWindow(colors, width)) {
      console.heading("Token Vault").waitFor();
      check(console, "console-sign-in" + suffix);
      console.signIn(fixture.key);
      check(console, "console-applications" + suffix);
      console.open(fixture.backendAddress(), "Shop backend");
      check(console, "console-application" + suffix);
      console.button("Replace key…").click();
      console.button("Replace the key").waitFor();
      console.assertAccessible("the question before a key is replaced");
      console.button("Cancel").click();
      console.open("#/applications/new", "New application");
      check(console, "console-new-application" + suffix);
      console.open("#/proxies", "Proxies");
      check(console, "console-proxies" + suffix);
      console.open(fixture.proxyAddress(), "Acquirer");
      check(console, "console-proxy" + suffix);
      console.open("#/logs", "Logs");
      console.page().locator(".log").waitFor();
      check(console, "console-logs" + suffix);
      console.open("#/permissions", "Permissions");
      check(console, "console-permissions" + suffix);
    }
    try (ConsolePage console = fixture.openWindow(colors, width)) {
      console.signIn(fixture.backend.key(), "Tokens");
      check(console, "console-tokens" + suffix);
      console.open("#/tokens/" + fixture.card, fixture.card);
      check(console, "console-token" + suffix);
      console.open("#/tokens/new", "New test token");
      console.button("Create token").click();
      assertThat(console.text("is required").first()).isVisible();
      check(console, "console-new-token" + suffix);
    }
  }

  /** Review these and copy them to docs/images after changes of the console's appearance. */
  @Test
  void screenshotsForDocsAreCaptured() {
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.signIn(fixture.key).open(fixture.backendAddress(), "Shop backend");
      console.field("Token's container").fill("/pii/low/");
      console.page().setViewportSize(ConsoleFixture.WIDE, 1290);
      console.captureAt("Access rules", "console-application");
      console.open("#/logs", "Logs");
      console.page().locator(".log").waitFor();
      console.page().setViewportSize(ConsoleFixture.WIDE, 700);
      console.capture("console-logs");
    }
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.signIn(fixture.backend.key(), "Tokens");
      console.open("#/tokens/" + fixture.card, fixture.card);
      console.page().setViewportSize(ConsoleFixture.WIDE, 640);
      console.capture("console-token");
    }
    try (ConsolePage console = fixture.openWindow(ColorScheme.DARK, ConsoleFixture.WIDE)) {
      console.signIn(fixture.key).open(fixture.proxyAddress(), "Acquirer");
      console.captureAt("Transforms", "console-proxy");
    }
    try (ConsolePage console = fixture.openWindow(ColorScheme.LIGHT, ConsoleFixture.NARROW)) {
      console.signIn(fixture.key).open(fixture.backendAddress(), "Shop backend");
      console.captureAt("Access rules", "console-narrow");
    }
    assertThat(ConsolePage.SCREENSHOTS.resolve("console-narrow.png")).isNotEmptyFile();
  }

  private static void check(ConsolePage console, String name) {
    console.assertAccessible(name);
    console.captureFullPage(name);
  }
}
