package io.tokenvault.adapters.http;

import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.RehearseProxy;
import io.tokenvault.ports.spi.JsonCodec;
import io.tokenvault.ports.spi.Readiness;
import io.tokenvault.ports.usecase.ChangeTokens;
import io.tokenvault.ports.usecase.CreateTokens;
import io.tokenvault.ports.usecase.ExplainAccess;
import io.tokenvault.ports.usecase.Gate;
import io.tokenvault.ports.usecase.ManageApplications;
import io.tokenvault.ports.usecase.ManageProxies;
import io.tokenvault.ports.usecase.MemoryBudget;
import io.tokenvault.ports.usecase.ReadLogs;
import io.tokenvault.ports.usecase.RepeatableRequests;
import io.tokenvault.ports.usecase.VaultTokens;
import java.util.Objects;

/**
 * What the routes call.
 *
 * @param memory for bodies and answers, but for the proxy's, which has its own
 */
public record UseCases(
    Gate gate,
    ManageApplications applications,
    ExplainAccess access,
    ManageProxies proxies,
    VaultTokens tokens,
    CreateTokens createTokens,
    ChangeTokens changeTokens,
    ReadLogs logs,
    InvokeProxy proxy,
    RehearseProxy rehearsals,
    RepeatableRequests repeatable,
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
