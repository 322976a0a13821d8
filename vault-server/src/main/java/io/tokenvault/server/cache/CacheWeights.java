package io.tokenvault.server.cache;

import io.tokenvault.domain.application.Application;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.LookupResult.LoadedCaller;
import io.tokenvault.ports.store.LookupResult.LoadedProxy;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredToken;
import java.util.Collection;
import java.util.Map;

/**
 * Estimates the memory of cached objects in bytes.
 *
 * <p>The estimates are rough but grow with everything whose size a tenant chooses: rules, keys,
 * data and metadata.
 */
final class CacheWeights {

  private static final int OBJECTS = 1000;
  private static final int RULE = 500;
  private static final int KEY = 300;
  private static final int BINDING = 300;

  private CacheWeights() {}

  /**
   * Returns the weight of a caller: its rules, the keys of its tenant and the bindings of
   * containers.
   */
  static int of(LoadedCaller caller) {
    return OBJECTS
        + rules(caller.application())
        + caller.delegator().map(CacheWeights::rules).orElse(0)
        + of(caller.keys())
        + BINDING * caller.egress().bindings().size();
  }

  private static int rules(Application application) {
    return RULE * (1 + application.policy().rules().size());
  }

  private static int of(TenantKeys keys) {
    return KEY * keys.keys().size();
  }

  /** Returns the weight of a proxy with its encrypted configuration and transforms. */
  static int of(LoadedProxy loaded) {
    return OBJECTS
        + of(loaded.keys())
        + loaded.proxy().key().size()
        + loaded.proxy().configuration().size()
        + sizes(loaded.proxy().transforms().values());
  }

  private static int sizes(Collection<EncryptedTransform> transforms) {
    return transforms.stream().mapToInt(each -> each.content().size()).sum();
  }

  /** Returns the weight of a token with its encrypted data and its metadata. */
  static int of(StoredToken stored) {
    return OBJECTS
        + stored.data().size()
        + stored.expressions().map(EncryptedValue::size).orElse(0)
        + texts(stored.token().settings().metadata());
  }

  private static int texts(Map<String, String> metadata) {
    return metadata.entrySet().stream()
        .mapToInt(each -> 100 + each.getKey().length() + each.getValue().length())
        .sum();
  }
}
