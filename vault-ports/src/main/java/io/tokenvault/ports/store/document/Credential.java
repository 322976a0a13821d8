package io.tokenvault.ports.store.document;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * The hash of an API key or proxy key, and the owner of the key.
 *
 * @param owner the id of the application or proxy
 * @param ends the end of an earlier key; empty for a current one
 */
record Credential(
    Owner kind, KeyHash hash, TenantId tenantId, String owner, Optional<Instant> ends) {

  /** The kind of resource that has a key. */
  enum Owner {
    APPLICATION,
    PROXY
  }

  /** Returns the id of the document. */
  String id() {
    return id(hash);
  }

  static String id(KeyHash hash) {
    return hash.version() + " " + HexFormat.of().formatHex(hash.bytes());
  }

  /** Returns the term by which the owner of a key is found. */
  static String term(Owner kind, KeyHash hash) {
    return kind + " " + id(hash);
  }

  /** Returns the term by which all keys of an owner are found. */
  static String term(Owner kind, String owner) {
    return kind + " of " + owner;
  }

  Set<String> terms() {
    return Set.of(term(kind, hash), term(kind, owner));
  }

  Credential with(KeyHash renewed) {
    return new Credential(kind, renewed, tenantId, owner, ends);
  }

  /** Returns this credential with an end no later than this time. */
  Credential endingBy(Instant end) {
    Instant earlier = ends.filter(known -> known.isBefore(end)).orElse(end);
    return new Credential(kind, hash, tenantId, owner, Optional.of(earlier));
  }
}
