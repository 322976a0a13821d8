package example.vault;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicyDraft;
import io.tokenvault.domain.application.ApplicationDraft;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.store.document.DocumentStores;
import io.tokenvault.server.Http;
import io.tokenvault.server.KeysetSource;
import io.tokenvault.server.Vault;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.json.JacksonJson;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a complete vault with HTTP on {@link SqliteStorage}. */
final class HttpVaultTest {

  @TempDir private Path directory;

  @Test
  void idempotentRequestCreatesOneToken() throws IOException, InterruptedException {
    Path keyset = directory.resolve("master-keyset.json");
    MasterKeyset.create(keyset, KeysetProtection.clear());
    try (SqliteStorage storage =
            SqliteStorage.open(directory.resolve("vault.db"), InstantSource.system());
        Vault vault = start(storage, keyset)) {
      String key = newApplication(vault);

      HttpResponse<String> first = createToken(vault, key);
      HttpResponse<String> again = createToken(vault, key);

      assertThat(first.statusCode()).as(first.body()).isEqualTo(201);
      assertThat(again.body()).isEqualTo(first.body());
      assertThat(
              storage.query(
                  row -> row.getInt(1), "SELECT count(*) FROM document WHERE kind = 'token'"))
          .containsExactly(1);
    }
  }

  private static Vault start(SqliteStorage storage, Path keyset) {
    VaultStores stores = new DocumentStores(storage, new JacksonJson());
    return Vault.builder()
        .stores(stores)
        .keyset(KeysetSource.file(keyset))
        .http(Http.on("127.0.0.1", 0))
        .start();
  }

  private static String newApplication(Vault vault) {
    ApiKey management = vault.tenants().create(new ResourceName("Shop")).key();
    ApplicationDraft draft =
        new ApplicationDraft(
            "Backend",
            "private",
            new AccessPolicyDraft(List.of("token:create"), List.of()),
            null,
            null);
    ApiKey key =
        vault.applications().create(vault.authenticate(management), draft, new Violations()).key();
    return new String(key.value().open(), StandardCharsets.UTF_8);
  }

  private static HttpResponse<String> createToken(Vault vault, String key)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(vault.url() + "/tokens"))
            .header("SVC-API-KEY", key)
            .header("SVC-IDEMPOTENCY-KEY", "order-17")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"type\": \"token\", \"data\": \"secret\"}"))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
