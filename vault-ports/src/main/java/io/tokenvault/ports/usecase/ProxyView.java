package io.tokenvault.ports.usecase;

import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.secret.ProxyKey;
import io.tokenvault.domain.secret.SensitiveValue;

/**
 * A proxy with its opened fields, for an answer.
 *
 * @param configuration a JSON object of strings, in UTF-8
 */
public record ProxyView(Proxy proxy, ProxyKey key, SensitiveValue configuration) {}
