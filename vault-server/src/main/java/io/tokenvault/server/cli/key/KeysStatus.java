package io.tokenvault.server.cli.key;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeysetNode;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.usecase.key.ManageKeys;
import io.tokenvault.ports.usecase.key.ManageKeys.TenantStatus;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.cli.context.CommandContext;
import io.tokenvault.server.cli.context.JsonLine;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * Shows the keys of tenants and nodes, and how many fields are encrypted under each data key.
 *
 * <p>The output shows how far a rotation is, and which nodes lack a new master key.
 */
@Command(
    name = "status",
    description = {
      "Prints one line of JSON for each tenant: tenant_id, shredded, keys (the versions by",
      "purpose, the current one first), fields (how many are encrypted under each version of the",
      "data key), master_keys (what its keys are wrapped under);",
      "and one for each node that serves now: node_id, master_keys, hashing_keys, last_seen."
    },
    mixinStandardHelpOptions = true)
public final class KeysStatus implements Callable<Integer> {

  private final CommandContext surroundings;

  @Spec private CommandSpec spec;

  public KeysStatus(CommandContext surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    try (Backend backend =
        Backend.forCommand(surroundings.configuration(), surroundings.randomness())) {
      ManageKeys keys = backend.manageKeys();
      Stream.concat(
              keys.tenants().stream().map(KeysStatus::line),
              keys.nodes().stream().map(KeysStatus::line))
          .forEach(spec.commandLine().getOut()::println);
    }
    return 0;
  }

  /** Returns the line of a tenant. */
  private static JsonLine line(TenantStatus tenant) {
    return new JsonLine()
        .with("tenant_id", tenant.tenantId().toString())
        .with("shredded", tenant.isShredded())
        .with("keys", new JsonObject(versions(tenant)))
        .with("fields", new JsonObject(fields(tenant)))
        .with("master_keys", ids(tenant.masterKeys()));
  }

  /** Returns the versions of a tenant's keys by purpose, the current one first. */
  private static Map<String, JsonValue> versions(TenantStatus tenant) {
    Map<String, JsonValue> versions = new LinkedHashMap<>();
    for (KeyPurpose purpose : KeyPurpose.values()) {
      versions.put(purpose.value(), numbers(tenant.versions().get(purpose).stream()));
    }
    return versions;
  }

  /** Returns the number of fields by version of the data key, in ascending order. */
  private static Map<String, JsonValue> fields(TenantStatus tenant) {
    Map<String, JsonValue> fields = new LinkedHashMap<>();
    new TreeMap<>(tenant.fields())
        .forEach((version, count) -> fields.put(version.toString(), JsonValue.of(count)));
    return fields;
  }

  /** Returns the line of a node that serves now. */
  private static JsonLine line(KeysetNode node) {
    return new JsonLine()
        .with("node_id", node.id().toString())
        .with("master_keys", ids(node, Use.WRAPPING))
        .with("hashing_keys", ids(node, Use.KEY_HASH))
        .with("last_seen", node.lastSeen().toString());
  }

  private static JsonValue ids(KeysetNode node, Use use) {
    return ids(node.keys().stream().filter(key -> key.use() == use).map(MasterKeyId::id).toList());
  }

  /** Returns key ids in ascending order, unsigned as in the keyset file. */
  private static JsonValue ids(Collection<Integer> ids) {
    return numbers(ids.stream().map(Integer::toUnsignedLong).sorted());
  }

  private static JsonValue numbers(Stream<? extends Number> numbers) {
    List<JsonValue> items = numbers.map(number -> JsonValue.of(number.longValue())).toList();
    return new JsonArray(items);
  }
}
