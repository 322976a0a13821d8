package io.tokenvault.ports.store.document;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeysetRegistry.KeysetNode;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.ApplicationStore.ApplicationUse;
import io.tokenvault.ports.store.model.StoredProxy;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A kind of document.
 *
 * @param name the kind in keys; never changed, like the components of the type
 * @param due when the document must be changed or deleted, if ever
 * @param terms the terms by which it is found
 */
record Kind<T extends Record>(
    String name,
    Class<T> type,
    Function<T, Optional<Instant>> due,
    Function<T, Set<String>> terms) {

  /** The id of a document that a tenant has one of. */
  static final String ONLY = "only";

  /** The tenant of the documents that belong to none. */
  static final TenantId NO_TENANT = new TenantId(new UUID(0, 0));

  static final Kind<Tenant> TENANT = lasting("tenant", Tenant.class);
  static final Kind<TenantKeys> KEYS = lasting("keys", TenantKeys.class);
  static final Kind<TenantEgress> EGRESS = lasting("egress", TenantEgress.class);
  static final Kind<Counter> COUNTER = lasting("counter", Counter.class);
  static final Kind<ProofRecord> PROOF = lasting("proof", ProofRecord.class);
  static final Kind<KeysetNode> NODE = lasting("node", KeysetNode.class);
  static final Kind<ApplicationUse> USE = lasting("use", ApplicationUse.class);
  static final Kind<Application> APPLICATION =
      new Kind<>("application", Application.class, Application::expiresAt, each -> Set.of());
  static final Kind<StoredProxy> PROXY =
      new Kind<>("proxy", StoredProxy.class, each -> Optional.empty(), Kind::termsOf);
  static final Kind<TokenRecord> TOKEN =
      new Kind<>("token", TokenRecord.class, TokenRecord::due, TokenRecord::terms);
  static final Kind<Credential> CREDENTIAL =
      new Kind<>("credential", Credential.class, Credential::ends, Credential::terms);
  static final Kind<RequestRecord> REQUEST =
      new Kind<>("request", RequestRecord.class, RequestRecord::due, RequestRecord::terms);

  /** The last version that was assigned to a token of a tenant. */
  record Counter(long last) {}

  /**
   * A proof of a master key.
   *
   * @param number orders proofs
   */
  record ProofRecord(MasterKeyId key, byte[] proof, long number) {}

  private static <T extends Record> Kind<T> lasting(String name, Class<T> type) {
    return new Kind<>(name, type, each -> Optional.empty(), each -> Set.of());
  }

  /** Returns the term of documents that refer to an application. */
  static String term(ApplicationId application) {
    return "application " + application;
  }

  private static Set<String> termsOf(StoredProxy stored) {
    return stored.proxy().settings().applicationId().stream()
        .map(Kind::term)
        .collect(Collectors.toSet());
  }
}
