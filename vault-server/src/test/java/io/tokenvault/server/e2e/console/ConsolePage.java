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

/** The console in a browser window of its own. Closing it fails if the browser complained. */
final class ConsolePage implements AutoCloseable {

  private static final String AXE = "/axe.min.js";
  static final Path SHOTS = Path.of("target", "console");
  private static final double PATIENCE_MILLIS = 20_000;

  static {
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
  }

  private final BrowserContext context;
  private final Page page;
  private final String url;
  private final List<String> complaints = new ArrayList<>();

  /**
   * @param url of the console, without a fragment
   */
  ConsolePage(Chromium chromium, String url, ColorScheme colours, int width, int height) {
    this.url = url;
    context =
        chromium
            .browser()
            .newContext(
                new Browser.NewContextOptions()
                    .setViewportSize(width, height)
                    .setColorScheme(colours)
                    // No colour is on its way to another one while it is looked at.
                    .setReducedMotion(ReducedMotion.REDUCE)
                    .setLocale("en-GB")
                    .setTimezoneId("UTC"));
    context.setDefaultTimeout(PATIENCE_MILLIS);
    context.addInitScript(
        "addEventListener('securitypolicyviolation', event =>"
            + " console.error('policy violated: ' + event.violatedDirective))");
    page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        message -> {
          // Refusals of the vault are logged by the browser as failures to load.
          if (message.type().equals("error") && !message.text().startsWith("Failed to load")) {
            complaints.add(message.text());
          }
        });
    page.navigate(url);
  }

  Page page() {
    return page;
  }

  /** Collects from now on the URLs of the page's requests that contain this. */
  List<String> requests(String part) {
    List<String> urls = new ArrayList<>();
    page.onRequest(
        request -> Stream.of(request.url()).filter(each -> each.contains(part)).forEach(urls::add));
    return urls;
  }

  BrowserContext context() {
    return context;
  }

  /** Gives the key and waits until the console is open, and its list is there. */
  ConsolePage open(String key) {
    return open(key, "Applications");
  }

  /** Gives the key and waits for the page that it opens. */
  ConsolePage open(String key, String heading) {
    field("API key").fill(key);
    button("Sign in").click();
    heading(heading).waitFor();
    loaded();
    return this;
  }

  /** To a place by its fragment, in a page that has no key yet. */
  ConsolePage goSignedOut(String fragment) {
    page.navigate("about:blank");
    page.navigate(url + fragment);
    return this;
  }

  /** To a place by its fragment, such as {@code #/logs}; waits until its list is there. */
  ConsolePage go(String fragment, String heading) {
    page.navigate(url + fragment);
    heading(heading).waitFor();
    loaded();
    return this;
  }

  /** A heading is there before what stands under it, whose request may be under way. */
  private void loaded() {
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

  /** Nothing that axe calls serious or critical, and nothing that is wider than the window. */
  void isAccessible(String place) {
    page.evaluate(axe());
    Object found =
        page.evaluate(
            "async () => JSON.stringify((await axe.run()).violations.map(each => ({impact:"
                + " each.impact, id: each.id, nodes: each.nodes.map(node => node.html +"
                + " node.failureSummary).join(' | ')})))");
    List<JsonNode> grave =
        Json.stream(Json.parse((String) found))
            .filter(each -> List.of("serious", "critical").contains(each.get("impact").asText()))
            .toList();
    assertThat(grave).as("axe on " + place).isEmpty();
    assertThat(
            (int)
                page.evaluate(
                    "() => document.documentElement.scrollWidth"
                        + " - document.documentElement.clientWidth"))
        .as("pixels that %s is too wide", place)
        .isZero();
  }

  private static String axe() {
    try (InputStream script = ConsolePage.class.getResourceAsStream(AXE)) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A picture for the eye, and for the pages in docs. */
  void shoot(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(SHOTS.resolve(name + ".png")));
  }

  /** A picture with this heading at the top. */
  void shootAt(String heading, String name) {
    heading(heading).evaluate("element => element.parentElement.scrollIntoView()");
    shoot(name);
  }

  /** A picture of all of the page, in a window that is as high. */
  void shootWhole(String name) {
    ViewportSize size = page.viewportSize();
    int height = (int) page.evaluate("() => document.documentElement.scrollHeight");
    page.setViewportSize(size.width, height);
    shoot(name);
    page.setViewportSize(size.width, size.height);
  }

  @Override
  public void close() {
    context.close();
    assertThat(complaints).as("what the browser complained of").isEmpty();
  }
}
