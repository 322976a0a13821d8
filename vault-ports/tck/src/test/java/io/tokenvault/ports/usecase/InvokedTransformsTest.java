package io.tokenvault.ports.usecase;

import static io.tokenvault.ports.usecase.VaultFixture.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.runtime.CompiledTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import io.tokenvault.ports.usecase.proxy.Admission;
import io.tokenvault.ports.usecase.proxy.ProxyTransform;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the transforms of an {@link Admission} and their recompilation. */
final class InvokedTransformsTest {

  private static final String CODE = "module.exports = args => 'marker'";
  private static final Map<TransformKind, String> REQUEST = Map.of(TransformKind.REQUEST, CODE);
  private static final CompiledTransform RECOMPILED =
      new CompiledTransform("small/2", "another program", List.of("a-module"));

  private final VaultFixture vault = new VaultFixture();
  private final ProxyFixture proxy = new ProxyFixture(vault, null, REQUEST);

  private ProxyTransform transform() {
    return transform(proxy.admit());
  }

  private static ProxyTransform transform(Admission admission) {
    return admission.transform(TransformKind.REQUEST).orElseThrow();
  }

  private StoredProxy stored() {
    return vault.stores.proxies().find(vault.tenantId(), proxy.id()).orElseThrow();
  }

  @Test
  void invocationHasTransformsOfItsProxy() {
    Admission admission = proxy.admit();

    ProxyTransform transform = transform(admission);

    assertThat(transform.code()).isEqualTo(new TransformCode(CODE));
    assertThat(transform.compiled()).isEqualTo(new CompiledTransform("small/1", CODE, List.of()));
    assertThat(transform.compiler()).isEqualTo("small/1");
    assertThat(transform.kind()).isEqualTo(TransformKind.REQUEST);
    assertThat(transform.tenantId()).isEqualTo(vault.tenantId());
    assertThat(admission.transform(TransformKind.RESPONSE)).isEmpty();
    assertThat(admission.configuration()).isEqualTo(SensitiveValue.ofText("{\"k\":\"v\"}"));
  }

  @Test
  void invocationByUrlHasNoTransforms() {
    Admission admission = vault.admit(proxy.invokerKey());

    for (TransformKind kind : TransformKind.values()) {
      assertThat(admission.transform(kind)).isEmpty();
    }
  }

  @Test
  void transformIsDecryptedOnlyWhenNeeded() {
    int decryptions = vault.cipher.decryptions();

    ProxyTransform transform = transform();
    assertThat(transform.key()).isNotEmpty();
    assertThat(vault.cipher.decryptions()).isEqualTo(decryptions);

    transform.compiled();
    assertThat(vault.cipher.decryptions()).isEqualTo(decryptions + 1);
  }

  @Test
  void transformKeyIdentifiesOneProgram() {
    Map<TransformKind, String> both =
        Map.of(TransformKind.REQUEST, CODE, TransformKind.RESPONSE, CODE);
    proxy.update(null, both);
    String key = transform().key();

    assertThat(transform().key()).isEqualTo(key);
    assertThat(proxy.admit().transform(TransformKind.RESPONSE).orElseThrow().key())
        .isNotEqualTo(key);
    assertThat(transform(new ProxyFixture(vault, null, both).admit()).key()).isNotEqualTo(key);
    vault.invocations.keepCompiled(proxy.admit(), transform(), RECOMPILED);
    String recompiledKey = transform().key();
    assertThat(recompiledKey).isNotEqualTo(key);
    proxy.update(null, both);
    assertThat(transform().key()).isNotIn(key, recompiledKey);
  }

  @Test
  void recompiledTransformIsUsedFromThenOn() {
    StoredProxy before = stored();
    Admission admission = proxy.admit();
    List<String> messages = vault.messages();

    vault.invocations.keepCompiled(admission, transform(admission), RECOMPILED);

    assertThat(transform().compiled()).isEqualTo(RECOMPILED);
    assertThat(transform().compiler()).isEqualTo("small/2");
    assertThat(transform().code()).isEqualTo(new TransformCode(CODE));
    assertThat(stored().proxy()).isEqualTo(before.proxy());
    assertThat(stored().configuration()).isEqualTo(before.configuration());
    assertThat(vault.messages()).isEqualTo(messages);
  }

  @Test
  void recompilationOfChangedCodeIsNotStored() {
    Admission admission = proxy.admit();
    proxy.update(null, Map.of(TransformKind.REQUEST, "changed"));
    StoredProxy changed = stored();

    vault.invocations.keepCompiled(admission, transform(admission), RECOMPILED);

    assertThat(stored()).isEqualTo(changed);
  }

  @Test
  void dataOfShreddedTenantIsNotDecrypted() {
    vault.shred();
    Admission admission = proxy.admit();
    ProxyTransform transform = transform(admission);

    assertRefused(FailureCause.TENANT_SHREDDED, transform::compiled);
    assertRefused(FailureCause.TENANT_SHREDDED, transform::code);
    assertRefused(FailureCause.TENANT_SHREDDED, admission::configuration);
  }
}
