package io.tokenvault.adapters.http.server;

import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.RehearseProxy;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.store.Readiness;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.ExplainAccess;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests;
import io.tokenvault.ports.usecase.memory.MemoryBudget;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.VaultTokens;
import java.util.Objects;

/**
 * What the routes call.
 *
 * @param memory for bodies and answers, but for the proxy's, which has its own
 */
public record UseCases(
    Authenticator gate,
    ManageApplications applications,
    ExplainAccess access,
    ManageProxies proxies,
    VaultTokens tokens,
    CreateTokens createTokens,
    ChangeTokens changeTokens,
    ReadLogs logs,
    InvokeProxy proxy,
    RehearseProxy rehearsals,
    IdempotentRequests repeatable,
    Readiness readiness,
    MemoryBudget memory,
    JsonCodec json) {
  public UseCases {
    Objects.requireNonNull(gate, "gate");
    Objects.requireNonNull(applications, "applications");
    Objects.requireNonNull(access, "access");
    Objects.requireNonNull(proxies, "proxies");
    Objects.requireNonNull(tokens, "tokens");
    Objects.requireNonNull(createTokens, "createTokens");
    Objects.requireNonNull(changeTokens, "changeTokens");
    Objects.requireNonNull(logs, "logs");
    Objects.requireNonNull(proxy, "proxy");
    Objects.requireNonNull(rehearsals, "rehearsals");
    Objects.requireNonNull(repeatable, "repeatable");
    Objects.requireNonNull(readiness, "readiness");
    Objects.requireNonNull(memory, "memory");
    Objects.requireNonNull(json, "json");
  }
}
