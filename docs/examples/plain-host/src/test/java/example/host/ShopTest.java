package example.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.token.TokenId;
import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.server.Http;
import io.tokenvault.server.Transforms;
import io.tokenvault.server.Vault;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopTest {

  @Test
  void adminListenerWithoutSwaggerUiHasNoDocs(@TempDir Path directory) throws Exception {
    try (Vault vault =
        Vault.builder()
            .embedded(directory.resolve("vault"))
            .http(Http.on("127.0.0.1", 0).admin("127.0.0.1", 0))
            .transforms(Transforms.OFF)
            .start()) {
      assertThat(status(vault, "/metrics")).isEqualTo(200);
      assertThat(status(vault, "/docs/")).isEqualTo(404);
    }
  }

  private static int status(Vault vault, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(vault.adminUrl().orElseThrow() + path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void cardIsShownAsEachApplicationMaySeeItAndArchived(@TempDir Path directory) throws Exception {
    BlockingQueue<FeedEntry> archived = new LinkedBlockingQueue<>();
    try (Shop shop = Shop.open(directory.resolve("vault"), archived::addAll)) {
      ApiKey checkout = shop.newApplication("Checkout", "reveal");
      ApiKey support = shop.newApplication("Support", "mask");
      TokenId card = shop.store(checkout, "4242424242424242");

      assertThat(shop.show(checkout, card)).isEqualTo("\"4242424242424242\"");
      assertThat(shop.show(support, card)).contains("4242").doesNotContain("42424242");
      FeedEntry entry = archived.poll(1, TimeUnit.MINUTES);
      while (entry != null && !entry.entry().content().message().equals("Token retrieved")) {
        entry = archived.poll(1, TimeUnit.MINUTES);
      }
      assertThat(entry).isNotNull();
    }
  }
}
