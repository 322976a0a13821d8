package io.tokenvault.server.cli;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeysetRegistry.KeysetNode;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.usecase.application.ManageApplications.IssuedApplication;
import io.tokenvault.ports.usecase.key.ManageTenantKeys;
import io.tokenvault.ports.usecase.key.ManageTenantKeys.TenantStatus;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.assembly.IssuedKeyLine;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.json.JsonLine;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The commands that create a master keyset file, that rotate and show keys, and that issue a new
 * key for an application.
 */
@Command(
    name = "keys",
    description = "Create, rotate and show encryption keys.",
    addMethodSubcommands = false)
final class KeyCommands extends VaultCommand {

  /**
   * Creates a master keyset file, for use with an external database.
   *
   * <p>Of the settings it reads only the key that encrypts the file, so that it works before
   * anything else is configured.
   */
  @Command(
      name = "init",
      mixinStandardHelpOptions = true,
      description = {
        "Create a master keyset in a new file, readable by its owner only. With",
        "VAULT_MASTER_KEY_URI, it is encrypted by a key management service. Without the keyset,",
        "no token can be read: back it up, separately from the database."
      })
  int init(
      @Parameters(paramLabel = "FILE", description = "File to create; it must not exist.")
          Path file) {
    MasterKeyset.create(
        file, KeysetProtection.of(Configuration.masterKeyUri(context().environment())));
    return 0;
  }

  @Command(
      name = "rotate",
      mixinStandardHelpOptions = true,
      description = {
        "Rotate data, fingerprint and index keys. All nodes use the new keys at once. Existing",
        "data stays readable; servers re-encrypt it in the background (see 'keys status')."
      })
  int rotate(
      @Option(names = "--tenant", description = "Tenant id (default: all tenants).") UUID tenant) {
    try (Backend backend = openBackend()) {
      ManageTenantKeys keys = backend.manageKeys();
      return tenant == null
          ? succeed("Tenants with new keys: " + keys.rotateAll())
          : report(keys.rotate(new TenantId(tenant)));
    }
  }

  /** Shows how far a rotation is, and which nodes lack a new master key. */
  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = {
        "Show key versions and the progress of rotations. Prints one JSON line per tenant:",
        "tenant_id, shredded, keys (versions by purpose, current first), fields (count per",
        "version of the data key), master_keys (that wrap its keys); and one per live node:",
        "node_id, master_keys, hashing_keys, last_seen."
      })
  int status() {
    try (Backend backend = openBackend()) {
      Stream.concat(
              backend.manageKeys().tenants().stream().map(KeyCommands::line),
              backend.keysetGuard().nodes().stream().map(KeyCommands::line))
          .forEach(out()::println);
      return 0;
    }
  }

  private static JsonLine line(TenantStatus tenant) {
    return new JsonLine()
        .with("tenant_id", tenant.tenantId().toString())
        .with("shredded", tenant.isShredded())
        .with("keys", versions(tenant))
        .with("fields", fields(tenant))
        .with("master_keys", ids(tenant.masterKeys()));
  }

  /** Returns the versions of a tenant's keys by purpose, the current one first. */
  private static JsonObject versions(TenantStatus tenant) {
    JsonLine versions = new JsonLine();
    for (KeyPurpose purpose : KeyPurpose.values()) {
      versions.with(purpose.value(), numbers(tenant.versions().get(purpose).stream()));
    }
    return versions.json();
  }

  /** Returns the number of fields by version of the data key, in ascending order. */
  private static JsonObject fields(TenantStatus tenant) {
    JsonLine fields = new JsonLine();
    new TreeMap<>(tenant.fields())
        .forEach((version, count) -> fields.with(version.toString(), count));
    return fields.json();
  }

  /** Returns the line of a node that serves now. */
  private static JsonLine line(KeysetNode node) {
    return new JsonLine()
        .with("node_id", node.id().toString())
        .with("master_keys", ids(node, Use.WRAPPING))
        .with("hashing_keys", ids(node, Use.KEY_HASH))
        .with("last_seen", node.lastSeen().toString());
  }

  private static List<JsonValue> ids(KeysetNode node, Use use) {
    return ids(node.keys().stream().filter(key -> key.use() == use).map(MasterKeyId::id).toList());
  }

  /** Returns key ids in ascending order, unsigned as in the keyset file. */
  private static List<JsonValue> ids(Collection<Integer> ids) {
    return numbers(ids.stream().map(Integer::toUnsignedLong).sorted());
  }

  private static List<JsonValue> numbers(Stream<? extends Number> numbers) {
    return numbers.<JsonValue>map(number -> JsonValue.of(number.longValue())).toList();
  }

  /**
   * The three steps that replace the master key: add, promote and rewrap.
   *
   * <p>After each of the first two the operator copies the keyset file to all nodes, which load it
   * within seconds. No step requires a restart.
   */
  @Command(
      name = "rotate-master",
      description = {
        "Replace the master key. Steps: add, copy the keyset file to all nodes, promote, copy it",
        "again, rewrap."
      },
      addMethodSubcommands = false)
  static final class MasterKeys extends VaultCommand {

    @Command(
        name = "add",
        mixinStandardHelpOptions = true,
        description = {
          "Add a new master key and hashing key to the keyset file, not yet in use. Then copy the",
          "file to all nodes; they reload it within seconds."
        })
    int add() {
      try (Backend backend = openBackend()) {
        MasterKeyset present = backend.keysetFile().load();
        if (present.hasUnpromotedKeys()) {
          return fail("Keys were already added. Next: run 'keys rotate-master promote'.");
        }
        backend.keysetFile().replace(present.withNewKey());
        return succeed(
            "New keys were added to the keyset file. Next: copy the file to all nodes, then run"
                + " 'keys rotate-master promote'.");
      }
    }

    @Command(
        name = "promote",
        mixinStandardHelpOptions = true,
        description = {
          "Use the keys added last for new data, once all live nodes have loaded them. Then copy",
          "the changed keyset file to all nodes."
        })
    int promote() {
      try (Backend backend = openBackend()) {
        MasterKeyset present = backend.keysetFile().load();
        if (!present.hasUnpromotedKeys()) {
          return fail("There is no new key to promote. First run 'keys rotate-master add'.");
        }
        MasterKeyset promoted = present.promoted();
        backend.keysetGuard().promote(promoted);
        backend.keysetFile().replace(promoted);
        return succeed(
            "The new keys are in use. Next: copy the keyset file to all nodes again, then run"
                + " 'keys rotate-master rewrap'.");
      }
    }

    @Command(
        name = "rewrap",
        mixinStandardHelpOptions = true,
        description = {
          "Wrap the data keys of all tenants with the promoted master key. Tokens are not",
          "re-encrypted."
        })
    int rewrap() {
      try (Backend backend = openBackend()) {
        if (backend.keysetFile().load().hasUnpromotedKeys()) {
          return fail(
              "Nothing was changed: the keyset file has a new key that is not promoted. First run"
                  + " 'keys rotate-master promote', or copy the promoted file.");
        }
        return succeed(
            "Tenant keys wrapped under the new master key: "
                + backend.manageKeys().rewrapAll()
                + ". The rotation is complete.");
      }
    }
  }

  /** The command that issues a new key for an application, if its keys were lost. */
  @Command(name = "application", description = "Manage applications.", addMethodSubcommands = false)
  static final class Applications extends VaultCommand {

    @Command(
        name = "reset-key",
        mixinStandardHelpOptions = true,
        description = {
          "Replace the API key of an application; its earlier keys stop working at once. Prints",
          "one JSON line: tenant_id, application_id, key. The key is not shown again."
        })
    int resetKey(
        @Option(names = "--tenant", required = true, description = "Tenant id.") UUID tenant,
        @Option(names = "--id", required = true, description = "Application id.") UUID id) {
      try (Backend backend = openBackend()) {
        Optional<IssuedApplication> issued =
            backend.manageTenants().resetKey(new TenantId(tenant), new ApplicationId(id));
        issued.map(IssuedKeyLine::json).ifPresent(out()::println);
        return issued.isPresent() ? 0 : fail("No application of this tenant has this id.");
      }
    }
  }
}
