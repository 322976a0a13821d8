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
  void everyPageIsAccessibleAndFits(ColorScheme colours, int width) {
    String suffix = "-" + colours.name().toLowerCase(Locale.ROOT) + "-" + width;
    try (ConsolePage console = fixture.window(colours, width)) {
      console.heading("Token Vault").waitFor();
      shown(console, "console-sign-in" + suffix);
      console.open(fixture.key);
      shown(console, "console-applications" + suffix);
      console.go(fixture.backendPlace(), "Shop backend");
      shown(console, "console-application" + suffix);
      console.button("Replace key…").click();
      console.button("Replace the key").waitFor();
      console.isAccessible("the question before a key is replaced");
      console.button("Cancel").click();
      console.go("#/applications/new", "New application");
      shown(console, "console-new-application" + suffix);
      console.go("#/proxies", "Proxies");
      shown(console, "console-proxies" + suffix);
      console.go(fixture.proxyPlace(), "Acquirer");
      shown(console, "console-proxy" + suffix);
      console.go("#/logs", "Logs");
      console.page().locator(".log").waitFor();
      shown(console, "console-logs" + suffix);
      console.go("#/permissions", "Permissions");
      shown(console, "console-permissions" + suffix);
    }
    try (ConsolePage console = fixture.window(colours, width)) {
      console.open(fixture.backend.key(), "Tokens");
      shown(console, "console-tokens" + suffix);
      console.go("#/tokens/" + fixture.card, fixture.card);
      shown(console, "console-token" + suffix);
      console.go("#/tokens/new", "New test token");
      console.button("Create token").click();
      assertThat(console.text("is required").first()).isVisible();
      shown(console, "console-new-token" + suffix);
    }
  }

  /** Review these and copy them to docs/images after changes of the console's appearance. */
  @Test
  void screenshotsForDocsAreCaptured() {
    try (ConsolePage console = fixture.window(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.open(fixture.key).go(fixture.backendPlace(), "Shop backend");
      console.field("Token's container").fill("/pii/low/");
      console.page().setViewportSize(ConsoleFixture.WIDE, 1290);
      console.shootAt("Access rules", "console-application");
      console.go("#/logs", "Logs");
      console.page().locator(".log").waitFor();
      console.page().setViewportSize(ConsoleFixture.WIDE, 700);
      console.shoot("console-logs");
    }
    try (ConsolePage console = fixture.window(ColorScheme.LIGHT, ConsoleFixture.WIDE)) {
      console.open(fixture.backend.key(), "Tokens").go("#/tokens/" + fixture.card, fixture.card);
      console.page().setViewportSize(ConsoleFixture.WIDE, 640);
      console.shoot("console-token");
    }
    try (ConsolePage console = fixture.window(ColorScheme.DARK, ConsoleFixture.WIDE)) {
      console.open(fixture.key).go(fixture.proxyPlace(), "Acquirer");
      console.shootAt("Transforms", "console-proxy");
    }
    try (ConsolePage console = fixture.window(ColorScheme.LIGHT, ConsoleFixture.NARROW)) {
      console.open(fixture.key).go(fixture.backendPlace(), "Shop backend");
      console.shootAt("Access rules", "console-narrow");
    }
    assertThat(ConsolePage.SHOTS.resolve("console-narrow.png")).isNotEmptyFile();
  }

  private static void shown(ConsolePage console, String name) {
    console.isAccessible(name);
    console.shootWhole(name);
  }
}
