package io.tokenvault.ports.usecase.key;

import io.tokenvault.domain.audit.Operation;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.KeysetRegistry;
import io.tokenvault.ports.crypto.KeysetRegistry.KeysetNode;
import io.tokenvault.ports.crypto.KeysetRegistry.Ledger;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.MasterKeys;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Rejects processes with a wrong master keyset: they could not decrypt the stored data, and other
 * processes could not decrypt theirs. The first keyset ever used with a store is accepted.
 */
public final class KeysetGuard {

  private final KeysetRegistry registry;

  public KeysetGuard(KeysetRegistry registry) {
    this.registry = registry;
  }

  /** Returns whether the store was used with a keyset already, so that a new one would be wrong. */
  public boolean isClaimed() {
    return registry.exclusively(
        ledger -> !ledger.proofs().isEmpty() || !ledger.tenantKeys().isEmpty());
  }

  /**
   * Verifies the keyset of a command before the command does anything else.
   *
   * @throws WrongKeysetException if the store is used with another keyset
   */
  public void verify(MasterKeys held) {
    registry.exclusively(
        ledger -> {
          require(ledger, held);
          return held;
        });
  }

  /**
   * Verifies the keyset of a node and announces its keys to other nodes. Call it before the node
   * serves requests, and repeatedly while it does.
   *
   * @throws WrongKeysetException as for {@link #verify}; the node is not announced then
   */
  public void admit(UUID node, MasterKeys held) {
    registry.exclusively(
        ledger -> {
          require(ledger, held);
          ledger.announce(node, held.ids());
          return held;
        });
  }

  /** Removes a node that no longer serves requests. */
  public void withdraw(UUID node) {
    registry.withdraw(node);
  }

  /** Returns the live nodes and the master keys that each holds. */
  public List<KeysetNode> nodes() {
    return registry.liveNodes();
  }

  private static void require(Ledger ledger, MasterKeys held) {
    List<KeyProof> proofs = ledger.proofs();
    if (proofs.isEmpty()) {
      requireReadable(ledger, held);
      primaries(held).forEach(ledger::add);
      return;
    }
    Set<MasterKeyId> missing = new HashSet<>();
    for (KeyProof proof : proofs) {
      if (!held.ids().contains(proof.key())) {
        missing.add(proof.key());
      } else if (!held.confirms(proof)) {
        throw new WrongKeysetException(
            "its " + name(proof.key()) + " differs from the key that the database uses");
      }
    }
    if (!missing.isEmpty()) {
      requireUnused(missing, ledger, held);
    }
  }

  /** Verifies the keyset against a store without proofs, from before they were introduced. */
  private static void requireReadable(Ledger ledger, MasterKeys held) {
    for (TenantKeys tenant : ledger.tenantKeys()) {
      for (WrappedKey key : tenant.keys()) {
        if (!held.unwraps(tenant.tenantId(), key)) {
          throw new WrongKeysetException(
              "it cannot unwrap the keys of tenant " + tenant.tenantId());
        }
      }
    }
    for (int version : ledger.hashVersions()) {
      MasterKeyId key = new MasterKeyId(Use.KEY_HASH, version);
      if (!held.ids().contains(key)) {
        throw new WrongKeysetException("it lacks the " + name(key));
      }
    }
  }

  private static List<KeyProof> primaries(MasterKeys held) {
    return Arrays.stream(Use.values()).map(held::primary).map(held::prove).toList();
  }

  private static void requireUnused(Set<MasterKeyId> missing, Ledger ledger, MasterKeys held) {
    Set<MasterKeyId> used = used(ledger, held);
    List<String> lacking =
        missing.stream().filter(used::contains).map(KeysetGuard::name).sorted().toList();
    if (!lacking.isEmpty()) {
      throw new WrongKeysetException("it lacks the " + String.join(" and the ", lacking));
    }
  }

  /**
   * Returns the keys in use. Those promoted last count as used, because every node that knows them
   * protects new values with them.
   */
  private static Set<MasterKeyId> used(Ledger ledger, MasterKeys held) {
    Set<MasterKeyId> used = new HashSet<>(current(ledger).values());
    for (TenantKeys tenant : ledger.tenantKeys()) {
      tenant.keys().forEach(key -> used.add(held.wrapping(key)));
    }
    ledger.hashVersions().forEach(version -> used.add(new MasterKeyId(Use.KEY_HASH, version)));
    return used;
  }

  private static Map<Use, MasterKeyId> current(Ledger ledger) {
    Map<Use, MasterKeyId> last = new HashMap<>();
    ledger.proofs().forEach(proof -> last.put(proof.key().use(), proof.key()));
    return last;
  }

  /**
   * Makes the keyset's primary keys those for new values, once every live node holds them. Keys
   * that were the last to be promoted are left alone. The promotion is recorded in the log of every
   * tenant.
   *
   * @param promoted a keyset with the new keys as its primary keys
   * @throws WrongKeysetException as for {@link #verify}
   * @throws NodesLackKeyException if a live node does not hold the keys yet
   */
  public void promote(MasterKeys promoted) {
    Set<MasterKeyId> wanted =
        Arrays.stream(Use.values()).map(promoted::primary).collect(Collectors.toSet());
    registry.exclusively(
        ledger -> {
          require(ledger, promoted);
          List<UUID> lacking =
              ledger.liveNodes().stream()
                  .filter(node -> !node.keys().containsAll(wanted))
                  .map(KeysetNode::id)
                  .toList();
          if (!lacking.isEmpty()) {
            throw new NodesLackKeyException(lacking);
          }
          primaries(promoted).forEach(ledger::add);
          for (TenantKeys tenant : ledger.tenantKeys()) {
            ledger.record(
                AuditTrail.systemEntry(tenant.tenantId(), Operation.UPDATE, "Master key promoted"));
          }
          return wanted;
        });
  }

  private static String name(MasterKeyId key) {
    String use =
        switch (key.use()) {
          case WRAPPING -> "master key ";
          case KEY_HASH -> "hashing key ";
        };
    return use + Integer.toUnsignedString(key.id());
  }

  /**
   * Reports that the store is used with another keyset; the message explains it to the operator.
   */
  public static final class WrongKeysetException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WrongKeysetException(String why) {
      super("The master keyset does not belong to this database: " + why + ".");
    }
  }

  /** Reports that not every live node holds the keys to promote. */
  public static final class NodesLackKeyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NodesLackKeyException(List<UUID> nodes) {
      super(
          "Nothing was promoted: these live nodes do not have the new key yet: "
              + nodes.stream().map(UUID::toString).sorted().collect(Collectors.joining(", "))
              + ". Copy the keyset file to them; they reload it within seconds.");
    }
  }
}
