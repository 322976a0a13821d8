package io.tokenvault.server.e2e.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The API reference at {@code /docs} in a browser. */
@Tag("long")
final class ApiDocsPageTest {

  private static final RunningVault VAULT = RunningVault.shared();
  private static final String CREATE = "applications-createApplication";

  @AutoClose private static Chromium chromium;

  private final TenantFixture tenant = VAULT.newTenant();
  @AutoClose private final Page page = chromium.browser().newPage();
  private final List<String> errors = new ArrayList<>();
  private final Set<String> origins = new TreeSet<>();

  @BeforeAll
  static void start() {
    chromium = Chromium.start();
  }

  @Test
  void exampleIsSentWithAuthorizedKey() {
    open();
    authorize(tenant.management().key());
    Locator operation = expandOperation(CREATE);

    button(operation, "Try it out").click();
    button(operation, "Execute").click();

    assertThat(operation.locator(".live-responses-table .response-col_status").last())
        .containsText("201");
    assertThat(tenant.management().get("/applications?page=1").expect(200).text())
        .contains("Shop backend");
    assertThat(errors).isEmpty();
    assertThat(origins).containsExactly(VAULT.adminUrl());
  }

  @Test
  void requestWithoutKeyIsRejected() {
    open();
    Locator operation = expandOperation(CREATE);

    button(operation, "Try it out").click();
    button(operation, "Execute").click();

    assertThat(operation.locator(".live-responses-table .response-col_status").last())
        .containsText("401");
  }

  @Test
  void keyIsForgottenOnReload() {
    open();
    authorize(tenant.management().key());

    page.reload();

    assertThat(page.locator(".auth-wrapper .authorize.unlocked")).isVisible();
    assertThat(page.evaluate("localStorage.length + sessionStorage.length")).isEqualTo(0);
    assertThat(page.context().cookies()).isEmpty();
  }

  @Test
  void operationOfMainListenerCannotBeTried() {
    open();

    assertThat(button(expandOperation("tokens-updateToken"), "Try it out")).hasCount(0);
    assertThat(button(expandOperation("tokens-createToken"), "Try it out")).isVisible();
    assertThat(button(expandOperation("tokens-tokenize"), "Try it out")).hasCount(0);
    assertThat(button(expandOperation("proxy-forwardPost"), "Try it out")).hasCount(0);
    assertThat(button(expandOperation("proxies-createProxy"), "Try it out")).isVisible();
  }

  private void open() {
    page.addInitScript(
        "addEventListener('securitypolicyviolation', event =>"
            + " console.error('policy violated: ' + event.violatedDirective))");
    page.onPageError(errors::add);
    page.onConsoleMessage(
        message -> {
          if (message.type().equals("error")) {
            errors.add(message.text());
          }
        });
    page.onRequest(
        request -> {
          URI url = URI.create(request.url());
          if (url.getScheme().startsWith("http")) {
            origins.add(url.getScheme() + "://" + url.getRawAuthority());
          }
        });
    page.navigate(VAULT.adminUrl() + "/docs");
  }

  private void authorize(String key) {
    button(page.locator(".auth-wrapper"), "Authorize").click();
    Locator dialog = page.locator(".modal-ux");
    dialog.locator("input").fill(key);
    button(dialog, "Apply credentials").click();
    button(dialog.locator(".auth-btn-wrapper"), "Close").click();
  }

  private Locator expandOperation(String operation) {
    Locator block = page.locator("#operations-" + operation);
    block.locator(".opblock-summary-control").click();
    block.locator(".opblock-body").waitFor();
    return block;
  }

  private static Locator button(Locator within, String name) {
    return within.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(name));
  }
}
