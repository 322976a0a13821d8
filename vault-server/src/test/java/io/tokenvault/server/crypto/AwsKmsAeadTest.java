package io.tokenvault.server.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.kms.KmsClient;

/** Tests the requests of the AWS SDK to a stub server. */
final class AwsKmsAeadTest {

  private static final String KEY = "arn:aws:kms:eu-west-1:111122223333:key/1234abcd";
  private static final String ALIAS = "arn:aws:kms:eu-west-1:111122223333:alias/vault";
  private static final byte[] ASSOCIATED_DATA = "key_hash".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SECRET = {1, 2, 3};
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> operations = new CopyOnWriteArrayList<>();
  private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  private volatile String keyOfResponse = KEY;
  private volatile int status = 200;
  private HttpServer server;
  private KmsClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
    client =
        KmsClient.builder()
            .region(Region.EU_WEST_1)
            .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret")))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  /** Returns the sent bytes instead of encrypting or decrypting them. */
  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target");
      JsonNode request = JSON.readTree(exchange.getRequestBody());
      operations.add(operation);
      requests.add(request);
      ObjectNode response = JSON.createObjectNode().put("KeyId", keyOfResponse);
      if (operation.endsWith("Encrypt")) {
        response.set("CiphertextBlob", request.get("Plaintext"));
      } else {
        response.set("Plaintext", request.get("CiphertextBlob"));
      }
      byte[] body = JSON.writeValueAsBytes(response);
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Test
  void associatedDataIsSentAsHexadecimalEncryptionContext() throws Exception {
    AwsKmsAead aead = new AwsKmsAead(client, KEY);
    byte[] encrypted = aead.encrypt(SECRET, ASSOCIATED_DATA);

    assertThat(aead.decrypt(encrypted, ASSOCIATED_DATA)).isEqualTo(SECRET);
    assertThat(operations).containsExactly("TrentService.Encrypt", "TrentService.Decrypt");
    assertThat(requests)
        .allSatisfy(
            request -> {
              assertThat(request.get("KeyId").asText()).isEqualTo(KEY);
              assertThat(request.get("EncryptionContext"))
                  .hasToString("{\"associatedData\":\"6b65795f68617368\"}");
            });
  }

  @Test
  void emptyAssociatedDataSendsNoEncryptionContext() throws Exception {
    new AwsKmsAead(client, KEY).encrypt(SECRET, new byte[0]);

    assertThat(requests.get(0).path("EncryptionContext")).isEmpty();
  }

  @Test
  void dataDecryptedByAnotherKeyIsRefused() {
    keyOfResponse = KEY.replace("1234", "5678");

    assertFails(() -> new AwsKmsAead(client, KEY).decrypt(SECRET, ASSOCIATED_DATA));
  }

  @Test
  void aliasResolvesToItsKey() throws Exception {
    assertThat(new AwsKmsAead(client, ALIAS).decrypt(SECRET, ASSOCIATED_DATA)).isEqualTo(SECRET);
  }

  @Test
  void serviceErrorIsSecurityException() {
    status = 400;

    assertFails(() -> new AwsKmsAead(client, KEY).encrypt(SECRET, ASSOCIATED_DATA));
    assertFails(() -> new AwsKmsAead(client, KEY).decrypt(SECRET, ASSOCIATED_DATA));
  }

  @Test
  void unreachableServiceIsSecurityException() {
    server.stop(0);

    assertFails(() -> new AwsKmsAead(client, KEY).encrypt(SECRET, ASSOCIATED_DATA));
  }

  private static void assertFails(ThrowingCallable work) {
    assertThatThrownBy(work).isInstanceOf(GeneralSecurityException.class);
  }
}
