package io.tokenvault.ports.usecase;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.KeyHasher;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedField;
import io.tokenvault.ports.spi.SealedTransform;
import io.tokenvault.ports.spi.Sealer;
import io.tokenvault.ports.spi.StoredProxy;
import io.tokenvault.ports.spi.TenantKeys;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Makes, seals and opens the secret fields of proxies: their keys and configurations. */
public final class ProxySeals {

  private final Sealer sealer;
  private final JsonCodec json;
  private final KeyHasher hasher;
  private final RandomGenerator randomness;

  /**
   * @param randomness a cryptographically strong source, for keys
   */
  public ProxySeals(Sealer sealer, JsonCodec json, KeyHasher hasher, RandomGenerator randomness) {
    this.sealer = sealer;
    this.json = json;
    this.hasher = hasher;
    this.randomness = randomness;
  }

  SealedKey newKey(TenantKeys keys, ProxyId id) {
    ProxyKey key = ProxyKey.generate(randomness);
    Sealed sealed = sealer.seal(keys, SealedField.proxyKey(keys.tenantId(), id), key.value());
    return new SealedKey(sealed, hasher.hash(key));
  }

  /** A proxy's key as it is stored, and the hash that it is found by. */
  record SealedKey(Sealed sealed, KeyHash hash) {}

  Sealed sealConfiguration(TenantKeys keys, ProxyId id, Map<String, String> configuration) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    configuration.forEach((name, value) -> members.put(name, JsonValue.of(value)));
    SensitiveValue text = SensitiveValue.of(json.write(new JsonObject(members)));
    return sealer.seal(keys, SealedField.proxyConfiguration(keys.tenantId(), id), text);
  }

  Map<TransformKind, SealedTransform> sealTransforms(
      TenantKeys keys, ProxyId id, Map<TransformKind, CheckedTransform> transforms) {
    Map<TransformKind, SealedTransform> all = new EnumMap<>(TransformKind.class);
    transforms.forEach((kind, transform) -> all.put(kind, seal(keys, id, kind, transform)));
    return all;
  }

  SealedTransform seal(
      TenantKeys keys, ProxyId id, TransformKind kind, CheckedTransform transform) {
    SensitiveValue text = SensitiveValue.of(json.write(transform.toJson()));
    return new SealedTransform(
        sealer.seal(keys, SealedField.proxyTransform(keys.tenantId(), id, kind), text),
        transform.compiled().compiler());
  }

  /** The transform of this kind, if the proxy has one. */
  Optional<CheckedTransform> openTransform(
      TenantKeys keys, StoredProxy stored, TransformKind kind) {
    SealedField field = SealedField.proxyTransform(keys.tenantId(), stored.proxy().id(), kind);
    return Optional.ofNullable(stored.transforms().get(kind))
        .map(each -> sealer.open(keys, field, each.content()))
        .map(text -> CheckedTransform.of(json.read(text.open())));
  }

  SensitiveValue openConfiguration(TenantKeys keys, StoredProxy stored) {
    return sealer.open(
        keys,
        SealedField.proxyConfiguration(keys.tenantId(), stored.proxy().id()),
        stored.configuration());
  }

  ProxyKey openKey(TenantKeys keys, StoredProxy stored) {
    SealedField field = SealedField.proxyKey(keys.tenantId(), stored.proxy().id());
    return ProxyKey.of(sealer.open(keys, field, stored.key()));
  }

  ProxyView open(TenantKeys keys, StoredProxy stored) {
    Map<TransformKind, TransformCode> transforms = new EnumMap<>(TransformKind.class);
    for (TransformKind kind : stored.transforms().keySet()) {
      openTransform(keys, stored, kind).ifPresent(each -> transforms.put(kind, each.code()));
    }
    return new ProxyView(
        stored.proxy(), openKey(keys, stored), openConfiguration(keys, stored), transforms);
  }
}
