package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.ViewportSize;
import io.tokenvault.server.e2e.fixture.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A browser window with the console. Closing it fails if the browser reported errors. */
final class ConsolePage implements AutoCloseable {

  private static final String AXE = "/axe.min.js";
  static final Path SCREENSHOTS = Path.of("target", "console");
  private static final double TIMEOUT_MILLIS = 20_000;

  static {
    PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MILLIS);
  }

  private final BrowserContext context;
  private final Page page;
  private final String url;
  private final List<String> errors = new ArrayList<>();

  /**
   * @param url the URL of the console, without a fragment
   */
  ConsolePage(Chromium chromium, String url, ColorScheme colors, int width, int height) {
    this.url = url;
    context =
        chromium
            .browser()
            .newContext(
                new Browser.NewContextOptions()
                    .setViewportSize(width, height)
                    .setColorScheme(colors)
                    // Color transitions would disturb the contrast checks.
                    .setReducedMotion(ReducedMotion.REDUCE)
                    .setLocale("en-GB")
                    .setTimezoneId("UTC"));
    context.setDefaultTimeout(TIMEOUT_MILLIS);
    context.addInitScript(
        "addEventListener('securitypolicyviolation', event =>"
            + " console.error('policy violated: ' + event.violatedDirective))");
    page = context.newPage();
    page.onPageError(errors::add);
    page.onConsoleMessage(
        message -> {
          // The browser logs error responses of the vault as failures to load.
          if (message.type().equals("error") && !message.text().startsWith("Failed to load")) {
            errors.add(message.text());
          }
        });
    page.navigate(url);
  }

  Page page() {
    return page;
  }

  /** Returns a list that collects the URLs of later requests that contain a string. */
  List<String> requests(String part) {
    List<String> urls = new ArrayList<>();
    page.onRequest(
        request -> Stream.of(request.url()).filter(each -> each.contains(part)).forEach(urls::add));
    return urls;
  }

  BrowserContext context() {
    return context;
  }

  /** Signs in and waits for the list of applications. */
  ConsolePage signIn(String key) {
    return signIn(key, "Applications");
  }

  /** Signs in and waits for the page with this heading. */
  ConsolePage signIn(String key, String heading) {
    field("API key").fill(key);
    button("Sign in").click();
    heading(heading).waitFor();
    awaitLoaded();
    return this;
  }

  /** Navigates to a fragment without being signed in. */
  ConsolePage openSignedOut(String fragment) {
    page.navigate("about:blank");
    page.navigate(url + fragment);
    return this;
  }

  /** Navigates to a fragment such as {@code #/logs} and waits for the content of its page. */
  ConsolePage open(String fragment, String heading) {
    page.navigate(url + fragment);
    heading(heading).waitFor();
    awaitLoaded();
    return this;
  }

  /** Waits for the content of the page, which may load after the heading. */
  private void awaitLoaded() {
    assertThat(text("Loading\u2026")).hasCount(0);
  }

  Locator heading(String text) {
    return page.getByRole(
        AriaRole.HEADING, new Page.GetByRoleOptions().setName(text).setExact(true));
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator link(String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator field(String label) {
    return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
  }

  Locator requestTransform() {
    return page.getByRole(
        AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Request transform").setExact(true));
  }

  Locator text(String text) {
    return page.getByText(text);
  }

  /** Asserts that axe finds nothing serious or critical and that the page fits the window. */
  void assertAccessible(String address) {
    page.evaluate(axe());
    Object result =
        page.evaluate(
            "async () => JSON.stringify((await axe.run()).violations.map(each => ({impact:"
                + " each.impact, id: each.id, nodes: each.nodes.map(node => node.html +"
                + " node.failureSummary).join(' | ')})))");
    List<JsonNode> violations =
        Json.stream(Json.parse((String) result))
            .filter(each -> List.of("serious", "critical").contains(each.get("impact").asText()))
            .toList();
    assertThat(violations).as("axe on " + address).isEmpty();
    assertThat(
            (int)
                page.evaluate(
                    "() => document.documentElement.scrollWidth"
                        + " - document.documentElement.clientWidth"))
        .as("excess width of %s in pixels", address)
        .isZero();
  }

  private static String axe() {
    try (InputStream script = ConsolePage.class.getResourceAsStream(AXE)) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Saves a screenshot, for review and for the pages in docs. */
  void capture(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
  }

  /** Saves a screenshot with this heading at the top. */
  void captureAt(String heading, String name) {
    heading(heading).evaluate("element => element.parentElement.scrollIntoView()");
    capture(name);
  }

  void captureFullPage(String name) {
    ViewportSize size = page.viewportSize();
    int height = (int) page.evaluate("() => document.documentElement.scrollHeight");
    page.setViewportSize(size.width, height);
    capture(name);
    page.setViewportSize(size.width, size.height);
  }

  @Override
  public void close() {
    context.close();
    assertThat(errors).as("errors reported by the browser").isEmpty();
  }
}
