package io.tokenvault.documentation;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.tokenvault.server.e2e.console.Chromium;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.RunningVault.Node;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.HttpUrl;
import okio.ByteString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the guides that need one server, each with a separate tenant of the shared server. */
final class GuidesTest {

  private static final String VAULT = "http://127.0.0.1:8080";
  private static final String DESTINATION = "https://payments.test/v1";
  private static final String PAGE_ORIGIN = "http://localhost:3000";
  private static final Path TESTS =
      Path.of("src", "test", "java", "io", "tokenvault", "documentation");

  private final TenantFixture tenant = RunningVault.shared().newTenant();

  @TempDir private Path directory;

  @Test
  void everyGuideHasTest() {
    String tests =
        Pages.below(TESTS, ".java").stream().map(Pages::read).collect(Collectors.joining());
    assertThat(Pages.below(GuideRun.GUIDES, ".md"))
        .isNotEmpty()
        .allSatisfy(
            guide -> assertThat(tests).contains('"' + guide.getFileName().toString() + '"'));
  }

  @Test
  void supportGuideShowsMasksToOneApplicationAndDataToAnother() throws Exception {
    guide("show-masked-data-to-support.md", tenant.vault().url()).run();
  }

  @Test
  void chargeGuideChargesCardInSandbox() throws Exception {
    try (HttpsDestination sandbox = HttpsDestination.start().respond(GuidesTest::charge)) {
      guide("charge-a-card.md", tenant.vault().url())
          .replace(DESTINATION, sandbox.url() + "/v1")
          .run();
    }
  }

  /** Starts a process for the command, and workers for its transforms and those of the server. */
  @Tag("long")
  @Test
  void reformattingGuideTestsAndUsesTransform() throws Exception {
    try (HttpsDestination acquirer = HttpsDestination.start().respond(GuidesTest::echo)) {
      guide("reformat-a-request.md", tenant.vault().url())
          .replace(DESTINATION, acquirer.url() + "/v1")
          .run();
    }
  }

  @Test
  void browserGuideCreatesTokenThatItsKeyCannotRead() throws Exception {
    try (Node vault = tenant.vault().node(cors(PAGE_ORIGIN))) {
      guide("collect-a-card-in-the-browser.md", vault.vault().url()).run();
    }
  }

  @Tag("long")
  @Test
  void pageOfBrowserGuideCreatesTokenInChromium() throws Exception {
    try (Chromium chromium = Chromium.start();
        MockWebServer shop = new MockWebServer()) {
      shop.start();
      String origin = "http://localhost:" + shop.getPort();
      try (Node vault = tenant.vault().node(cors(origin))) {
        guide("collect-a-card-in-the-browser.md", vault.vault().url())
            .replace(PAGE_ORIGIN, origin)
            .run();
        shop.enqueue(
            new MockResponse.Builder()
                .addHeader("Content-Type", "text/html")
                .body(Files.readString(directory.resolve("checkout.html")))
                .build());
        Page page = chromium.browser().newPage();
        page.navigate(origin + "/checkout.html");
        pay(page, "4242 4242 4242 4241");
        assertThat(page.getByRole(AriaRole.STATUS)).hasText(Pattern.compile("data\\.number: .+"));
        pay(page, "4242 4242 4242 4242");
        assertThat(page.getByRole(AriaRole.STATUS)).hasText(Pattern.compile("Token [0-9a-f-]{36}"));
        assertThat(page.getByLabel("Card number")).hasValue("");
        String token = page.getByRole(AriaRole.STATUS).textContent().replace("Token ", "");
        assertThat(tenant.reader("mask").get("/tokens/" + token).expect(200).get("data").toString())
            .contains("XXXXXXXXXXXX4242");
      }
    }
  }

  private static void pay(Page page, String number) {
    page.getByLabel("Card number").fill(number);
    page.getByLabel("Month").fill("12");
    page.getByLabel("Year").fill("2030");
    page.getByLabel("Security code").fill("123");
    page.getByRole(AriaRole.BUTTON).click();
  }

  private static Map<String, String> cors(String origin) {
    return Map.of("VAULT_CORS_ALLOWED_ORIGINS", origin);
  }

  private GuideRun guide(String name, String vaultUrl) throws IOException {
    Path data = Files.createDirectories(directory.resolve("data"));
    Files.writeString(
        data.resolve("first-key.json"), Json.object("key", tenant.management().key()).toString());
    return GuideRun.of(name, directory).needs("bash", "curl", "jq").replace(VAULT, vaultUrl);
  }

  private static MockResponse echo(RecordedRequest request) {
    return json(body(request));
  }

  /** Charges a card like a payment API, which requires the secret key and a form. */
  private static MockResponse charge(RecordedRequest request) {
    HttpUrl form = HttpUrl.get("https://form.test/?" + body(request));
    assertThat(request.getHeaders().get("Authorization"))
        .isEqualTo("Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc");
    String number = Optional.ofNullable(form.queryParameter("card[number]")).orElse("");
    return json(
        Json.object(
                "id", "ch_1",
                "status", "succeeded",
                "amount", Integer.parseInt(String.valueOf(form.queryParameter("amount"))),
                "currency", form.queryParameter("currency"),
                "last4", number.substring(number.length() - 4))
            .toString());
  }

  private static MockResponse json(String body) {
    return new MockResponse.Builder()
        .addHeader("Content-Type", "application/json")
        .body(body)
        .build();
  }

  private static String body(RecordedRequest request) {
    return Optional.ofNullable(request.getBody()).map(ByteString::utf8).orElse("");
  }
}
