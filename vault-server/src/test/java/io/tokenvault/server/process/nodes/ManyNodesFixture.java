package io.tokenvault.server.process.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.process.fixture.Nodes;

/** A tenant with an application that owns tokens, and requests to any of several nodes. */
final class ManyNodesFixture {

  private final Nodes nodes;
  private final IssuedTenant tenant;
  private final String ownerKey;

  ManyNodesFixture(Nodes nodes) {
    this.nodes = nodes;
    this.tenant = nodes.newTenant();
    JsonNode draft =
        TenantFixture.revealingDraft(
            "token:create", "token:read", "token:update", "token:delete", "token:use");
    this.ownerKey = createApplication(firstUrl(), draft).path("key").asText();
  }

  Nodes nodes() {
    return nodes;
  }

  String firstUrl() {
    return nodes.all().get(0).url();
  }

  TenantId tenantId() {
    return tenant.tenantId();
  }

  Client management(String url) {
    return new Client(url, IssuedKeyLine.text(tenant.key()));
  }

  /** Returns a client with all token permissions. */
  Client owner(String url) {
    return new Client(url, ownerKey);
  }

  /** Creates an application on this node. */
  JsonNode createApplication(String url, JsonNode draft) {
    return management(url).post("/applications", draft).expect(201).json();
  }

  /** Creates a proxy on this node, to a host name of the destination. */
  JsonNode createProxy(String url, String destination) {
    return management(url).post("/proxies", proxyBody(destination)).expect(201).json();
  }

  JsonNode proxyBody(String destination) {
    return TenantFixture.proxyDraft(nodes.destination().url(destination));
  }

  /** Creates a token on this node and returns its id. */
  String createToken(String url, String data, String container) {
    return owner(url).token(data, container);
  }

  String createToken(String data) {
    return createToken(firstUrl(), data, "/");
  }

  /** Sends a token through a proxy as the owner. */
  Response sendThrough(String url, JsonNode proxy, String token) {
    Call call = owner(url).call("POST", "/proxy").through(proxy);
    return call.json("\"{{" + token + "}}\"").send();
  }
}
