package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Destinations receive the client certificate that the proxy names, and none otherwise. */
final class ClientCertificateTest {

  private static final String PASSWORD = "planted-keystore-password";
  private static final HeldCertificate CLIENTS =
      new HeldCertificate.Builder().certificateAuthority(0).build();

  @RegisterExtension
  private static final ProxyFixture fixture =
      new ProxyFixture(HttpsDestination.startRequestingClientCertificates(CLIENTS));

  private static final TenantFixture other = fixture.vault.newTenant();

  @TempDir private static Path directory;
  @AutoClose private static RunningVault.Node node;

  @BeforeAll
  static void start() throws IOException, GeneralSecurityException {
    Map<String, String> names = new HashMap<>();
    names.put("acme", "everybody's");
    names.put("bank", "everybody's of the bank");
    names.put(fixture.tenant.id() + "/bank", "the tenant's of the bank");
    names.put(fixture.tenant.id() + "/own", "the tenant's own");
    names.put(other.id() + "/foreign", "another tenant's");
    node =
        fixture.vault.node(
            Map.of(
                "VAULT_EGRESS_KEYSTORE_FILE",
                keystore(names).toString(),
                "VAULT_EGRESS_KEYSTORE_PASSWORD",
                PASSWORD));
  }

  private static Path keystore(Map<String, String> commonNames)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (Map.Entry<String, String> each : commonNames.entrySet()) {
      HeldCertificate held =
          new HeldCertificate.Builder().commonName(each.getValue()).signedBy(CLIENTS).build();
      store.setKeyEntry(
          each.getKey(),
          held.keyPair().getPrivate(),
          PASSWORD.toCharArray(),
          new Certificate[] {held.certificate()});
    }
    Path file = directory.resolve("egress.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
    return file;
  }

  private Response create(TenantFixture tenant, String certificate) {
    return node.call("POST", "/proxies")
        .key(tenant.management().key())
        .json(proxy().put("client_certificate", certificate))
        .send();
  }

  private ObjectNode proxy() {
    return Json.object("name", "mTLS", "destination_url", fixture.destination.url());
  }

  private JsonNode createProxy(String certificate) {
    return create(fixture.tenant, certificate).expect(201).json();
  }

  /** Returns the names in the client certificates of the oldest recorded request, if any. */
  private List<String> received() {
    return fixture.destination.received().getHandshake().peerCertificates().stream()
        .map(each -> ((X509Certificate) each).getSubjectX500Principal().getName())
        .toList();
  }

  private List<String> sentBy(Call call) {
    call.json("{}").send().expect(200);
    return received();
  }

  @Test
  void onlyProxyNamingCertificatePresentsIt() {
    JsonNode naming = createProxy("acme");

    assertThat(sentBy(fixture.byUrl(node))).isEmpty();
    assertThat(sentBy(fixture.through(node, naming))).containsExactly("CN=everybody's");
    assertThat(sentBy(fixture.byUrl(node))).isEmpty();
    assertThat(sentBy(fixture.through(node, fixture.proxy()))).isEmpty();
    JsonNode own = createProxy("Own");
    assertThat(own.path("client_certificate").asText()).isEqualTo("Own");
    assertThat(sentBy(fixture.through(node, own))).containsExactly("CN=the tenant's own");
    assertThat(sentBy(fixture.through(node, createProxy("bank"))))
        .containsExactly("CN=the tenant's of the bank");
    assertThat(sentBy(fixture.through(node, naming))).containsExactly("CN=everybody's");
  }

  @Test
  void anotherTenantsCertificateCannotBeNamed() {
    create(other, "foreign").expect(201);
    for (String name : List.of("foreign", other.id() + "/foreign", "none")) {
      create(fixture.tenant, name).expectErrorsAt("client_certificate");
    }
  }

  @Test
  void updateWithoutCertificateRemovesIt() {
    JsonNode naming = createProxy("acme");
    String path = "/proxies/" + naming.path("id").asText();

    assertThat(sentBy(fixture.through(node, naming))).containsExactly("CN=everybody's");
    Response updated =
        node.call("PUT", path).key(fixture.tenant.management().key()).json(proxy()).send();

    assertThat(updated.expect(200).json().has("client_certificate")).isFalse();
    assertThat(sentBy(fixture.through(node, naming))).isEmpty();
  }
}
