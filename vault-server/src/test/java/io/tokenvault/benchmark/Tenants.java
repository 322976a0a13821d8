package io.tokenvault.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.benchmark.ProxiedRequest.Caller;
import io.tokenvault.benchmark.program.Api;
import io.tokenvault.benchmark.program.Exchange;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.config.Configuration;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Many tenants, each with one request of its own. */
final class Tenants {

  private Tenants() {}

  static List<Exchange> requests(Stand stand, int count) {
    Configuration configuration =
        Configuration.from(Map.of("VAULT_DATA_DIR", stand.vault().data().toString()));
    List<Exchange> requests = new ArrayList<>();
    try (Backend backend = Backend.forCommand(configuration, new SecureRandom())) {
      for (int i = 0; i < count; i++) {
        JsonNode issued =
            Api.json(
                IssuedKeyLine.json(
                    backend.manageTenants().create(new ResourceName("tenant " + i))));
        requests.add(request(stand, issued.path("key").asText()));
      }
    }
    return requests;
  }

  private static Exchange request(Stand stand, String managementKey) {
    VaultUnderTest vault = stand.vault();
    Caller caller =
        Caller.of(vault, vault.as(managementKey), ProxiedRequest.plainProxy(stand.destination()));
    return ProxiedRequest.withTokens(caller, 1).exchange();
  }
}
