package io.tokenvault.server.cli;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.json.JacksonJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists all tenants. */
@Command(
    name = "list",
    description = "Prints one line of JSON for each tenant: tenant_id, name, created_at.",
    mixinStandardHelpOptions = true)
final class TenantList implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private CommandSpec spec;

  TenantList(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      backend.manageTenants().list().stream()
          .map(TenantList::line)
          .forEach(spec.commandLine().getOut()::println);
    }
    return 0;
  }

  private static String line(Tenant tenant) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("tenant_id", JsonValue.of(tenant.id().toString()));
    members.put("name", JsonValue.of(tenant.name().value()));
    members.put("created_at", JsonValue.of(tenant.createdAt().toString()));
    return new String(new JacksonJson().write(new JsonObject(members)), StandardCharsets.UTF_8);
  }
}
