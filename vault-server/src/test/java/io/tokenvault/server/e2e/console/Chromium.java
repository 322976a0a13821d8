package io.tokenvault.server.e2e.console;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import io.tokenvault.server.environment.ProgramRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Drives the installed Chromium by Playwright, on the installed Node.js. */
public final class Chromium implements AutoCloseable {

  private static final List<String> NAMES = List.of("chromium", "chromium-browser");

  private final Playwright playwright;
  private final Browser browser;

  private Chromium(Path program, Path node) {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions()
                .setEnv(
                    Map.of(
                        "PLAYWRIGHT_NODEJS_PATH",
                        node.toString(),
                        "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD",
                        "1")));
    // Prevents requests of Chromium itself, such as update checks.
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program)
                    .setChromiumSandbox(false)
                    .setArgs(List.of("--disable-background-networking", "--no-proxy-server")));
  }

  /** Starts Chromium; skips the test if Chromium or Node.js is missing. */
  public static Chromium start() {
    Optional<Path> program =
        NAMES.stream().flatMap(name -> ProgramRun.find(name).stream()).findFirst();
    Optional<Path> node = ProgramRun.find("node");
    assumeTrue(program.isPresent(), "Chromium is missing: apt-get install chromium");
    assumeTrue(node.isPresent(), "Node.js 18 or later is missing: apt-get install nodejs");
    return new Chromium(program.get(), node.get());
  }

  public Browser browser() {
    return browser;
  }

  @Override
  public void close() {
    playwright.close();
  }
}
