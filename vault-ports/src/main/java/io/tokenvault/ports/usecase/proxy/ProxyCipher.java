package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.crypto.KeyHasher;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Generates the keys of proxies, and encrypts and decrypts their secret fields: keys,
 * configurations and transforms.
 */
public final class ProxyCipher {

  private final FieldCipher cipher;
  private final JsonCodec json;
  private final KeyHasher hasher;
  private final RandomGenerator randomness;

  /**
   * Creates a cipher.
   *
   * @param randomness a cryptographically strong source, for keys
   */
  public ProxyCipher(
      FieldCipher cipher, JsonCodec json, KeyHasher hasher, RandomGenerator randomness) {
    this.cipher = cipher;
    this.json = json;
    this.hasher = hasher;
    this.randomness = randomness;
  }

  EncryptedKey newKey(TenantKeys keys, ProxyId id) {
    ProxyKey key = ProxyKey.generate(randomness);
    EncryptedValue encrypted =
        cipher.encrypt(keys, FieldBinding.proxyKey(keys.tenantId(), id), key.value());
    return new EncryptedKey(encrypted, hasher.hash(key));
  }

  /** An encrypted proxy key, and the hash by which it is found. */
  record EncryptedKey(EncryptedValue encrypted, KeyHash hash) {}

  EncryptedValue encryptConfiguration(
      TenantKeys keys, ProxyId id, Map<String, String> configuration) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    configuration.forEach((name, value) -> properties.put(name, JsonValue.of(value)));
    SensitiveValue text = SensitiveValue.of(json.write(new JsonObject(properties)));
    return cipher.encrypt(keys, FieldBinding.proxyConfiguration(keys.tenantId(), id), text);
  }

  Map<TransformKind, EncryptedTransform> encryptTransforms(
      TenantKeys keys, ProxyId id, Map<TransformKind, CheckedTransform> transforms) {
    Map<TransformKind, EncryptedTransform> all = new EnumMap<>(TransformKind.class);
    transforms.forEach((kind, transform) -> all.put(kind, encrypt(keys, id, kind, transform)));
    return all;
  }

  EncryptedTransform encrypt(
      TenantKeys keys, ProxyId id, TransformKind kind, CheckedTransform transform) {
    SensitiveValue text = SensitiveValue.of(json.write(transform.toJson()));
    return new EncryptedTransform(
        cipher.encrypt(keys, FieldBinding.proxyTransform(keys.tenantId(), id, kind), text),
        transform.compiled().compiler());
  }

  /** Decrypts a transform that the proxy has. */
  public CheckedTransform decryptTransform(
      TenantKeys keys, StoredProxy stored, TransformKind kind) {
    FieldBinding field = FieldBinding.proxyTransform(keys.tenantId(), stored.proxy().id(), kind);
    SensitiveValue text = cipher.decrypt(keys, field, stored.transforms().get(kind).content());
    return CheckedTransform.of(json.read(text.open()));
  }

  SensitiveValue decryptConfiguration(TenantKeys keys, StoredProxy stored) {
    return cipher.decrypt(
        keys,
        FieldBinding.proxyConfiguration(keys.tenantId(), stored.proxy().id()),
        stored.configuration());
  }

  ProxyKey decryptKey(TenantKeys keys, StoredProxy stored) {
    FieldBinding field = FieldBinding.proxyKey(keys.tenantId(), stored.proxy().id());
    return ProxyKey.of(cipher.decrypt(keys, field, stored.key()));
  }

  ProxyView decrypt(TenantKeys keys, StoredProxy stored) {
    Map<TransformKind, TransformCode> transforms = new EnumMap<>(TransformKind.class);
    for (TransformKind kind : stored.transforms().keySet()) {
      transforms.put(kind, decryptTransform(keys, stored, kind).code());
    }
    return new ProxyView(
        stored.proxy(), decryptKey(keys, stored), decryptConfiguration(keys, stored), transforms);
  }
}
