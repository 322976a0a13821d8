package io.tokenvault.adapters.http.server;

import io.tokenvault.ports.api.InvokeProxy;
import io.tokenvault.ports.api.ProxyDryRun;
import io.tokenvault.ports.runtime.JsonCodec;
import io.tokenvault.ports.runtime.MemoryBudget;
import io.tokenvault.ports.store.Readiness;
import io.tokenvault.ports.usecase.application.ManageApplications;
import io.tokenvault.ports.usecase.audit.ReadLogs;
import io.tokenvault.ports.usecase.authorization.Authenticator;
import io.tokenvault.ports.usecase.authorization.ExplainAccess;
import io.tokenvault.ports.usecase.idempotency.IdempotentRequests;
import io.tokenvault.ports.usecase.proxy.ManageProxies;
import io.tokenvault.ports.usecase.tenant.ReadTenant;
import io.tokenvault.ports.usecase.token.ChangeTokens;
import io.tokenvault.ports.usecase.token.CreateTokens;
import io.tokenvault.ports.usecase.token.VaultTokens;

/**
 * The use cases that the routes call, and the resources that they share.
 *
 * @param authenticator authenticates callers and checks permissions
 * @param applications manages applications and their keys
 * @param access explains decisions
 * @param tenants shows callers their own tenant
 * @param proxies manages proxy configurations
 * @param tokens reads, searches, deletes and detokenizes tokens
 * @param createTokens creates tokens
 * @param changeTokens updates tokens
 * @param logs reads the audit log
 * @param proxy forwards requests to destinations
 * @param dryRuns performs dry runs of proxies
 * @param idempotency executes requests with an idempotency key
 * @param readiness reports whether the database is ready
 * @param memory the budget for bodies and responses of the API; the proxy has its own
 * @param json reads and writes JSON
 */
public record UseCases(
    Authenticator authenticator,
    ManageApplications applications,
    ExplainAccess access,
    ReadTenant tenants,
    ManageProxies proxies,
    VaultTokens tokens,
    CreateTokens createTokens,
    ChangeTokens changeTokens,
    ReadLogs logs,
    InvokeProxy proxy,
    ProxyDryRun dryRuns,
    IdempotentRequests idempotency,
    Readiness readiness,
    MemoryBudget memory,
    JsonCodec json) {}
